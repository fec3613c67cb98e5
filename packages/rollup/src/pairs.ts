/** Places of the table that is looked up directly, at most; above, a hash table does. */
const mostPlaces = 1 << 19;

/** Numbers pairs of whole numbers (from 0 on, below 2^31 and 2^16) from 0 on, in the order in which they come: by a table of all pairs, or a hash table where these would be too many. */
export class Pairs {
  size = 0;
  /** By `first × width + second`: 0: free; else the pair's number plus one. Empty: the hash table has them. */
  #table = new Int32Array(64);
  #width = 16;
  #hashed: HashedPairs | null = null;

  numberOf(first: number, second: number): number {
    const at = first * this.#width + second;
    if (second < this.#width && at < this.#table.length) {
      const found = this.#table[at] as number;
      if (found !== 0) return found - 1;
    }
    return this.#add(first, second);
  }

  /** Replaces each first number by the number of its pair with the value of `column` in the row that `selected` names, or in the same place. */
  numberAll(firsts: Int32Array, column: Uint16Array, selected: Uint32Array | null, count: number): void {
    let [table, width] = [this.#table, this.#width];
    for (let at = 0; at < count; at++) {
      const second = column[selected === null ? at : (selected[at] as number)] as number;
      const place = (firsts[at] as number) * width + second;
      const found = second < width && place < table.length ? (table[place] as number) : 0;
      if (found !== 0) firsts[at] = found - 1;
      else {
        firsts[at] = this.#add(firsts[at] as number, second);
        [table, width] = [this.#table, this.#width];
      }
    }
  }

  #add(first: number, second: number): number {
    if (this.#hashed === null && !this.#makeRoom(first, second)) this.#hash();
    if (this.#hashed !== null) {
      const number = this.#hashed.numberOf(first, second);
      this.size = this.#hashed.size;
      return number;
    }
    this.#table[first * this.#width + second] = ++this.size;
    return this.size - 1;
  }

  /** False: there would be too many places. */
  #makeRoom(first: number, second: number): boolean {
    let width = this.#width;
    while (width <= second) width *= 2;
    if (width === this.#width && first * width + second < this.#table.length) return true;
    const height = this.#table.length / this.#width;
    let rows = height;
    while (rows <= first) rows *= 2;
    if (rows * width > mostPlaces) return false;
    const larger = new Int32Array(rows * width);
    for (let row = 0; row < height; row++)
      larger.set(this.#table.subarray(row * this.#width, (row + 1) * this.#width), row * width);
    [this.#table, this.#width] = [larger, width];
    return true;
  }

  #hash(): void {
    const pairs = new Array<[number, number]>(this.size);
    for (const [at, number] of this.#table.entries())
      if (number !== 0) pairs[number - 1] = [Math.floor(at / this.#width), at % this.#width];
    this.#hashed = new HashedPairs();
    for (const [first, second] of pairs) this.#hashed.numberOf(first, second);
    this.#table = new Int32Array(0);
  }
}

/** The same by a hash table with open addressing over typed arrays. */
class HashedPairs {
  size = 0;
  #first = new Int32Array(1024);
  #second = new Int32Array(1024);
  /** 0: free; else the pair's number plus one. */
  #number = new Int32Array(1024);

  numberOf(first: number, second: number): number {
    const mask = this.#number.length - 1;
    let at = hashOf(first, second) & mask;
    for (;;) {
      const found = this.#number[at] as number;
      if (found === 0) break;
      if (this.#first[at] === first && this.#second[at] === second) return found - 1;
      at = (at + 1) & mask;
    }
    this.#first[at] = first;
    this.#second[at] = second;
    this.#number[at] = ++this.size;
    if (2 * this.size > mask) this.#grow();
    return this.size - 1;
  }

  #grow(): void {
    const [first, second, number] = [this.#first, this.#second, this.#number];
    const mask = 2 * number.length - 1;
    this.#first = new Int32Array(mask + 1);
    this.#second = new Int32Array(mask + 1);
    this.#number = new Int32Array(mask + 1);
    for (let from = 0; from < number.length; from++) {
      if (number[from] === 0) continue;
      let at = hashOf(first[from] as number, second[from] as number) & mask;
      while (this.#number[at] !== 0) at = (at + 1) & mask;
      this.#first[at] = first[from] as number;
      this.#second[at] = second[from] as number;
      this.#number[at] = number[from] as number;
    }
  }
}

/** The finalizer of MurmurHash3 over both. */
function hashOf(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
