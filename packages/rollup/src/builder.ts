import type { Block, Shape } from "./block.ts";
import { merge } from "./merge.ts";

/** A bin and how often it was hit. */
export type Hit = readonly [bin: number, count: number];

/** Collects rows and makes a block of them. */
export class BlockBuilder {
  readonly #shape: Shape;
  readonly #dims: number[][];
  readonly #sums: number[][];
  readonly #bins: { row: number[]; bin: number[]; count: number[] }[];
  #rows = 0;

  constructor(shape: Shape) {
    this.#shape = shape;
    this.#dims = Array.from({ length: shape.dims }, () => []);
    this.#sums = Array.from({ length: shape.sums }, () => []);
    this.#bins = Array.from({ length: shape.bins }, () => ({ row: [], bin: [], count: [] }));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds a row; `sign` −1 takes one back. Left out: no bins. */
  add(
    dims: readonly number[],
    sums: readonly number[],
    bins: readonly (readonly Hit[])[] = [],
    sign: 1 | -1 = 1,
  ): void {
    for (const [at, column] of this.#dims.entries()) column.push(dims[at] ?? 0);
    for (const [at, column] of this.#sums.entries()) column.push(sign * (sums[at] ?? 0));
    for (const [at, column] of this.#bins.entries()) {
      for (const [bin, count] of bins[at] ?? []) {
        column.row.push(this.#rows);
        column.bin.push(bin);
        column.count.push(sign * count);
      }
    }
    this.#rows++;
  }

  /** What was added, merged: a row for each combination that is not nothing. */
  build(): Block {
    const block: Block = {
      rows: this.#rows,
      dims: this.#dims.map((column) => Uint16Array.from(column)),
      sums: this.#sums.map((column) => Float64Array.from(column)),
      bins: this.#bins.map(({ row, bin, count }) => ({
        row: Uint32Array.from(row),
        bin: Int16Array.from(bin),
        count: Float64Array.from(count),
      })),
    };
    return merge(this.#shape, [block]);
  }
}
