import { zeroBin } from "./bins.ts";
import { type Bins, type Block, type Shape, shapeOf } from "./block.ts";
import { Numbering } from "./numbering.ts";
import { Pairs } from "./pairs.ts";

/** Adds blocks up: one row for each combination of dimensions, sorted by them; rows of zeros only are left out. So equal content makes equal blocks. */
export function merge(shape: Shape, blocks: readonly Block[]): Block {
  for (const block of blocks) requireShape(shape, shapeOf(block));
  const numbering = new Numbering(shape.dims);
  const numbers = blocks.map((block) => {
    const into = new Int32Array(block.rows);
    numbering.number(block.dims, null, block.rows, into);
    return into;
  });
  const size = blocks.some(({ rows }) => rows > 0) ? numbering.size : 0;
  const sums = Array.from({ length: shape.sums }, (_, index) => sumUp(size, index, blocks, numbers));
  const bins = Array.from({ length: shape.bins }, (_, index) => binsOf(index, blocks, numbers));
  const kept = new Uint8Array(size);
  for (const column of sums) for (let row = 0; row < size; row++) if (column[row] !== 0) kept[row] = 1;
  for (const { row, count } of bins)
    for (let at = 0; at < row.length; at++) if (count[at] !== 0) kept[row[at] as number] = 1;
  const values = numbering.columns();
  const order = sortedRows(values, kept);
  return {
    rows: order.length,
    dims: values.map((column) => Uint16Array.from(order, (row) => column[row] as number)),
    sums: sums.map((column) => Float64Array.from(order, (row) => column[row] as number)),
    bins: bins.map((entries) => sortedBins(entries, order, size)),
  };
}

/** The same with all signs turned: added to the block, it leaves nothing. */
export function negate(block: Block): Block {
  const turned = (column: Float64Array) => column.map((value) => (value === 0 ? 0 : -value));
  return {
    ...block,
    sums: block.sums.map(turned),
    bins: block.bins.map((bins) => ({ ...bins, count: turned(bins.count) })),
  };
}

function requireShape(expected: Shape, found: Shape): void {
  const same = expected.dims === found.dims && expected.sums === found.sums && expected.bins === found.bins;
  if (!same)
    throw new Error(`a block of another shape: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

function sumUp(size: number, index: number, blocks: readonly Block[], numbers: readonly Int32Array[]): Float64Array {
  const total = new Float64Array(size);
  for (const [which, block] of blocks.entries()) {
    const [column, rows] = [block.sums[index] as Float64Array, numbers[which] as Int32Array];
    for (let row = 0; row < rows.length; row++) {
      const at = rows[row] as number;
      total[at] = (total[at] as number) + (column[row] as number);
    }
  }
  return total;
}

interface Entries {
  readonly row: number[];
  readonly bin: number[];
  readonly count: number[];
}

function binsOf(index: number, blocks: readonly Block[], numbers: readonly Int32Array[]): Entries {
  const pairs = new Pairs();
  const entries: Entries = { row: [], bin: [], count: [] };
  for (const [which, block] of blocks.entries()) {
    const { row, bin, count } = block.bins[index] as Bins;
    const rows = numbers[which] as Int32Array;
    for (let at = 0; at < row.length; at++) {
      const [number, hit] = [rows[row[at] as number] as number, bin[at] as number];
      const entry = pairs.numberOf(number, hit - zeroBin);
      entries.row[entry] = number;
      entries.bin[entry] = hit;
      entries.count[entry] = (entries.count[entry] ?? 0) + (count[at] as number);
    }
  }
  return entries;
}

/** Rows that are kept, by the values of their dimensions. */
function sortedRows(values: readonly Uint16Array[], kept: Uint8Array): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < kept.length; row++) if (kept[row] === 1) rows.push(row);
  rows.sort((a, b) => {
    for (let dim = 0; dim < values.length; dim++) {
      const column = values[dim] as Uint16Array;
      const difference = (column[a] as number) - (column[b] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return Uint32Array.from(rows);
}

function sortedBins({ row, bin, count }: Entries, order: Uint32Array, size: number): Bins {
  const places = new Int32Array(size);
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place;
  // How many entries stand before those of a place; then where its next one goes.
  const next = new Int32Array(order.length + 1);
  let total = 0;
  for (let entry = 0; entry < row.length; entry++) {
    if (count[entry] === 0) continue;
    const after = (places[row[entry] as number] as number) + 1;
    next[after] = (next[after] as number) + 1;
    total++;
  }
  for (let place = 0; place < order.length; place++)
    next[place + 1] = (next[place + 1] as number) + (next[place] as number);
  const starts = next.slice();
  const entries = new Uint32Array(total);
  for (let entry = 0; entry < row.length; entry++) {
    if (count[entry] === 0) continue;
    const place = places[row[entry] as number] as number;
    let at = next[place] as number;
    next[place] = at + 1;
    // Those of a place stand by bin; they are few.
    for (; at > (starts[place] as number); at--) {
      const before = entries[at - 1] as number;
      if ((bin[before] as number) <= (bin[entry] as number)) break;
      entries[at] = before;
    }
    entries[at] = entry;
  }
  return {
    row: Uint32Array.from(entries, (entry) => places[row[entry] as number] as number),
    bin: Int16Array.from(entries, (entry) => bin[entry] as number),
    count: Float64Array.from(entries, (entry) => count[entry] as number),
  };
}
