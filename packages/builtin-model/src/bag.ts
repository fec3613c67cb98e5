/** Features of one example at most. */
const capacity = 1 << 16;
const mask = (1 << 17) - 1;

/**
 * Collects the hashed features of one example, counting those that come again. One bag serves any number of examples in turn: nothing is allocated while it
 * fills, and emptying it costs nothing.
 */
export class Bag {
  size = 0;
  /** Feature hashes, unsigned 32 bits, in the order in which they came. */
  readonly hashes = new Uint32Array(capacity);
  /** How often a feature of a text came; the value of any other. */
  readonly amounts = new Float64Array(capacity);
  /** Texts are scaled to unit length each: the group that a feature belongs to. 0: none, its amount is its value. */
  readonly groups = new Int32Array(capacity);
  /** The number of the leaf that a feature came from. */
  readonly leaves = new Int32Array(capacity);
  readonly #slots = new Int32Array(mask + 1);
  readonly #stamps = new Int32Array(mask + 1);
  #stamp = 0;

  empty(): void {
    this.size = 0;
    this.#stamp = (this.#stamp + 1) | 0;
    if (this.#stamp === 0) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
  }

  /** Counts a feature once more by `amount`; what has no room is left out. */
  add(hash: number, amount: number, group: number, leaf: number): void {
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#stamps[slot] === this.#stamp) {
      const at = this.#slots[slot] as number;
      if (this.hashes[at] === hash) {
        if (group > 0) this.amounts[at] = (this.amounts[at] as number) + amount;
        return;
      }
      slot = (slot + 1) & mask;
    }
    if (this.size === capacity) return;
    this.#stamps[slot] = this.#stamp;
    this.#slots[slot] = this.size;
    this.hashes[this.size] = hash;
    this.amounts[this.size] = amount;
    this.groups[this.size] = group;
    this.leaves[this.size] = leaf;
    this.size++;
  }
}
