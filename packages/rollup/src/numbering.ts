import { Pairs } from "./pairs.ts";

/** Numbers combinations of dimensions' values from 0 on, over many blocks. */
export class Numbering {
  /** Values of each dimension by the combination's number, one after another. */
  readonly #values: number[] = [];
  readonly #pairs: readonly Pairs[];
  #size = 0;

  constructor(dims: number) {
    this.#pairs = Array.from({ length: dims }, () => new Pairs());
    if (dims === 0) this.#size = 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Writes the number of each row's combination; `selected`: only of these rows, in their order. */
  number(columns: readonly Uint16Array[], selected: Uint32Array | null, count: number, into: Int32Array): void {
    into.fill(0, 0, count);
    for (const [step, column] of columns.entries())
      (this.#pairs[step] as Pairs).numberAll(into, column, selected, count);
    const known = this.#size;
    if (columns.length === 0) return;
    this.#size = (this.#pairs.at(-1) as Pairs).size;
    if (this.#size > known) this.#keep(columns, selected, count, into);
  }

  #keep(columns: readonly Uint16Array[], selected: Uint32Array | null, count: number, numbers: Int32Array): void {
    const length = columns.length;
    for (let at = 0; at < count; at++) {
      // Numbers first appear in their order.
      if ((numbers[at] as number) * length !== this.#values.length) continue;
      const row = selected === null ? at : (selected[at] as number);
      for (const column of columns) this.#values.push(column[row] as number);
    }
  }

  /** The values of a combination. */
  valuesOf(number: number): number[] {
    const length = this.#pairs.length;
    return this.#values.slice(number * length, (number + 1) * length);
  }

  /** The same for all combinations, a column for each dimension. */
  columns(): Uint16Array[] {
    const length = this.#pairs.length;
    const rows = length === 0 ? 0 : this.#values.length / length;
    return this.#pairs.map((_pair, dim) => {
      const column = new Uint16Array(rows);
      for (let row = 0; row < rows; row++) column[row] = this.#values[row * length + dim] as number;
      return column;
    });
  }
}
