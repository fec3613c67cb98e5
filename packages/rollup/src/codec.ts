import type { Bins, Block, Shape } from "./block.ts";
import { type Column, columnBytes, packColumn, unpack } from "./column.ts";

// A block is three texts of bytes, so that of a large one only the columns that are asked for need to be read. Each begins with a head: a byte for the format, one for
// the number of columns, and one for each column (its code); of bins each kind has the number of entries (four bytes) and the codes of three columns instead: entries of
// each row, bin, count.

const format = 1;
const binHead = 7;

export interface EncodedBlock {
  readonly rows: number;
  readonly dims: Buffer;
  readonly sums: Buffer;
  readonly bins: Buffer;
}

/** Bytes with which `dims`, `sums` and `bins` begin before their columns, or a few more. */
export const headBytes = ({ dims, sums, bins }: Shape) => ({
  dims: 2 + dims,
  sums: 2 + sums,
  bins: 2 + binHead * bins,
});

export function encode(block: Block): EncodedBlock {
  return {
    rows: block.rows,
    dims: joined(block.dims.map(packColumn)),
    sums: joined(block.sums.map(packColumn)),
    bins: joinedBins(block),
  };
}

function joined(columns: readonly Column[]): Buffer {
  return Buffer.concat([
    Buffer.from([format, columns.length, ...columns.map(({ code }) => code)]),
    ...columns.map(bytesOf),
  ]);
}

function joinedBins({ rows, bins }: Block): Buffer {
  const kinds = bins.map(({ row, bin, count }) => {
    const perRow = new Uint32Array(rows);
    for (const at of row) perRow[at] = (perRow[at] as number) + 1;
    return { entries: row.length, columns: [perRow, bin, count].map(packColumn) };
  });
  const heads = kinds.map(({ entries, columns }) => {
    const head = Buffer.alloc(binHead);
    head.writeUInt32LE(entries);
    for (const [at, { code }] of columns.entries()) head[4 + at] = code;
    return head;
  });
  return Buffer.concat([
    Buffer.from([format, kinds.length]),
    ...heads,
    ...kinds.flatMap(({ columns }) => columns.map(bytesOf)),
  ]);
}

const bytesOf = ({ data }: Column): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** Where a column stands in its text of bytes. */
export interface Place {
  readonly code: number;
  readonly length: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Where the columns of a kind of bins stand, one after another. */
export interface BinPlaces {
  readonly perRow: Place;
  readonly bin: Place;
  readonly count: Place;
}

const placeOf = (code: number, length: number, offset: number): Place => ({
  code,
  length,
  offset,
  bytes: columnBytes(code, length),
});

/** How many columns of dimensions, sums or bins a block has. Of its text the head suffices, here and below. */
export function columnCount(text: Uint8Array): number {
  if (text[0] !== format || text[1] === undefined) throw new Error("a block cannot be read");
  return text[1];
}

/** Where a dimension or a sum stands in its text; undefined: the block was written without it. */
export function placeIn(text: Uint8Array, rows: number, column: number): Place | undefined {
  const count = columnCount(text);
  if (column >= count) return undefined;
  let offset = 2 + count;
  for (let at = 0; at < column; at++) offset += columnBytes(text[2 + at] as number, rows);
  return placeOf(text[2 + column] as number, rows, offset);
}

/** Where bins of a kind stand. */
export function binPlacesIn(text: Buffer, rows: number, kind: number): BinPlaces {
  const count = columnCount(text);
  let offset = 2 + binHead * count;
  for (let at = 0; ; at++) {
    const head = 2 + binHead * at;
    const entries = text.readUInt32LE(head);
    const perRow = placeOf(text[head + 4] as number, rows, offset);
    const bin = placeOf(text[head + 5] as number, entries, perRow.offset + perRow.bytes);
    const hits = placeOf(text[head + 6] as number, entries, bin.offset + bin.bytes);
    if (at === kind) return { perRow, bin, count: hits };
    offset = hits.offset + hits.bytes;
  }
}

/** A block of this shape; dimensions that it was written without have the number `missing`. */
export function decode(shape: Shape, { rows, dims, sums, bins }: EncodedBlock, missing = 0): Block {
  const counts = [dims, sums, bins].map(columnCount) as [number, number, number];
  if (counts[0] > shape.dims || counts[1] !== shape.sums || counts[2] !== shape.bins)
    throw new Error("a block has other columns than it should have");
  const read = <A extends Uint16Array | Float64Array>(text: Buffer, at: number, into: A): A => {
    const place = placeIn(text, rows, at);
    return place ? unpack(place, text, place.offset, into) : (into.fill(missing) as A);
  };
  return {
    rows,
    dims: Array.from({ length: shape.dims }, (_, at) => read(dims, at, new Uint16Array(rows))),
    sums: Array.from({ length: shape.sums }, (_, at) => read(sums, at, new Float64Array(rows))),
    bins: Array.from({ length: shape.bins }, (_, kind) => unpackBins(binPlacesIn(bins, rows, kind), bins)),
  };
}

/** Arrays that bins are read into, one block after another. */
export class BinsRoom {
  #perRow = new Uint32Array(0);
  #row = new Uint32Array(0);
  #bin = new Int16Array(0);
  #count = new Float64Array(0);

  of(rows: number, entries: number) {
    if (this.#perRow.length < rows) this.#perRow = new Uint32Array(2 * rows);
    if (this.#row.length < entries) {
      this.#row = new Uint32Array(2 * entries);
      this.#bin = new Int16Array(2 * entries);
      this.#count = new Float64Array(2 * entries);
    }
    return {
      perRow: this.#perRow,
      row: this.#row.subarray(0, entries),
      bin: this.#bin.subarray(0, entries),
      count: this.#count.subarray(0, entries),
    };
  }
}

const ownRoom = (rows: number, entries: number): ReturnType<BinsRoom["of"]> => ({
  perRow: new Uint32Array(rows),
  row: new Uint32Array(entries),
  bin: new Int16Array(entries),
  count: new Float64Array(entries),
});

/** Reads bins of a kind; `shift`: how many bytes of their text are missing before those that are given; `room`: what they are written into. */
export function unpackBins({ perRow, bin, count }: BinPlaces, bytes: Uint8Array, shift = 0, room?: BinsRoom): Bins {
  const into = room ? room.of(perRow.length, bin.length) : ownRoom(perRow.length, bin.length);
  const entries = unpack(perRow, bytes, perRow.offset - shift, into.perRow);
  const { row } = into;
  let at = 0;
  for (let of = 0; of < perRow.length; of++) {
    const end = at + (entries[of] as number);
    while (at < end) row[at++] = of;
  }
  return {
    row,
    bin: unpack(bin, bytes, bin.offset - shift, into.bin),
    count: unpack(count, bytes, count.offset - shift, into.count),
  };
}
