/** Repeatable chance for the corpus: the same seed gives the same texts on every machine (mulberry32, a public-domain generator of 32 bits). */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  pick<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)]!;
  }

  /** `count` characters of an alphabet. */
  text(alphabet: string, count: number): string {
    let text = "";
    for (let at = 0; at < count; at++) text += this.pick(alphabet);
    return text;
  }

  digits(count: number): string {
    return this.text("0123456789", count);
  }

  /** A number from `from` to `to` in at least two digits. */
  between(from: number, to: number): string {
    return String(from + this.below(to - from + 1)).padStart(2, "0");
  }
}

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const urlSafe = `${base62}-_`;
export const hexadecimal = "0123456789abcdef";
export const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
