/** What the rows of a block have: how many dimensions, sums and kinds of bins. */
export interface Shape {
  readonly dims: number;
  readonly sums: number;
  readonly bins: number;
}

/** Bins of one kind, sorted by row and bin: how often which bin was hit. */
export interface Bins {
  readonly row: Uint32Array;
  readonly bin: Int16Array;
  readonly count: Float64Array;
}

/**
 * Rows of sums by dimensions, column by column. Whole numbers only: adding a block and taking it back leaves nothing. `dims[d][row]` is the number of a value;
 * `bins[k]` holds, sorted by row, how often which bin was hit.
 */
export interface Block {
  readonly rows: number;
  readonly dims: readonly Uint16Array[];
  readonly sums: readonly Float64Array[];
  readonly bins: readonly Bins[];
}

export const shapeOf = ({ dims, sums, bins }: Block): Shape => ({
  dims: dims.length,
  sums: sums.length,
  bins: bins.length,
});
