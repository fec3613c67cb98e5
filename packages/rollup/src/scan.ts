import { Histogram } from "./bins.ts";
import type { Bins, Block, Shape } from "./block.ts";
import { Numbering } from "./numbering.ts";
import { Pairs } from "./pairs.ts";

/** Which rows count, by the values of these dimensions. Each combination of values is judged once. */
export interface Condition {
  readonly dims: readonly number[];
  readonly judge: (values: readonly number[]) => boolean;
}

export interface ScanRequest {
  /** All of them have to hold. */
  readonly conditions: readonly Condition[];
  /** Dimensions that cells are distinguished by. */
  readonly group: readonly number[];
  /** Sums, each over all rows or only those for which its own condition holds. */
  readonly sums: readonly { readonly sum: number; readonly only?: Condition }[];
  /** Kinds of bins. */
  readonly bins: readonly number[];
}

/** The columns of a block, each unpacked when asked for; valid until the next block is added. */
export interface Columns {
  readonly rows: number;
  dim(at: number): Uint16Array;
  sum(at: number): Float64Array;
  bins(at: number): Bins;
}

export const columnsOf = ({ rows, dims, sums, bins }: Block): Columns => ({
  rows,
  dim: (at) => dims[at] as Uint16Array,
  sum: (at) => sums[at] as Float64Array,
  bins: (at) => bins[at] as Bins,
});

/** What was found for one window and one combination of the dimensions that are asked for. */
export interface Cell {
  readonly window: number;
  readonly key: readonly number[];
  /** In the order of the request. */
  readonly sums: readonly number[];
  readonly bins: readonly Histogram[];
}

/** Adds blocks up by windows and combinations of dimensions, under conditions. Cells without any row do not come about. */
export class Scan {
  readonly #shape: Shape;
  readonly #request: ScanRequest;
  readonly #conditions: readonly Judge[];
  readonly #only: readonly (Judge | null)[];
  readonly #groups: Numbering;
  readonly #cells = new Pairs();
  readonly #places: { readonly window: number; readonly group: number }[] = [];
  readonly #sums: Float64Array[];
  readonly #bins: Histogram[][];
  readonly #room: Room;
  #selected: Uint32Array = new Uint32Array(0);
  readonly #answers = new Map<Judge, Uint8Array>();

  /** `parent`: one with the same request, whose judgements and numbers of combinations it shares. */
  constructor(shape: Shape, request: ScanRequest, parent?: Scan) {
    requireColumns(shape, request);
    this.#shape = shape;
    this.#request = request;
    this.#room = parent ? parent.#room : new Room();
    this.#conditions = parent ? parent.#conditions : request.conditions.map((condition) => new Judge(condition));
    this.#only = parent ? parent.#only : judgesOf(request);
    this.#groups = parent ? parent.#groups : new Numbering(request.group.length);
    this.#sums = request.sums.map(() => new Float64Array(64));
    this.#bins = request.bins.map(() => []);
  }

  /** Cells so far. */
  get size(): number {
    return this.#cells.size;
  }

  /** Adds a block that lies in a window. */
  add(columns: Columns, window = 0): void {
    this.#room.makeFor(columns.rows);
    const count = this.#select(columns);
    if (count === 0) return;
    const { group, sums, bins } = this.#request;
    const cells = this.#cellsOf(group.map(columns.dim), window, count);
    this.#answers.clear();
    for (const at of sums.keys()) this.#addSum(columns, at, cells, count);
    for (const [at, kind] of bins.entries()) this.#addBins(columns.bins(kind), at, cells, count);
  }

  /** What the request finds in a block: a row for each combination of the dimensions that it groups by, sums and bins in its order. */
  digestOf(columns: Columns): Block {
    const part = new Scan(this.#shape, this.#request, this);
    part.add(columns);
    const rows = part.#places.length;
    const keys = part.#places.map(({ group }) => this.#groups.valuesOf(group));
    return {
      rows,
      dims: this.#request.group.map((_dim, at) => Uint16Array.from(keys, (key) => key[at] as number)),
      sums: part.#sums.map((column) => column.slice(0, rows)),
      bins: part.#bins.map((kind) => binsOf(kind, rows)),
    };
  }

  /** Adds what a scan with the same request found in a block. */
  addDigest({ rows, dims, sums, bins }: Block, window = 0): void {
    if (rows === 0) return;
    this.#room.makeFor(rows);
    this.#selected = this.#room.all;
    const cells = this.#cellsOf(dims, window, rows);
    for (const [at, column] of sums.entries()) addUp(this.#total(at), column, this.#selected, cells, rows);
    for (const [at, kind] of bins.entries()) this.#addBins(kind, at, cells, rows);
  }

  /** What was found, in the order in which it came. */
  *cells(): Generator<Cell> {
    for (const [cell, { window, group }] of this.#places.entries()) {
      yield {
        window,
        key: this.#groups.valuesOf(group),
        sums: this.#sums.map((column) => column[cell] as number),
        bins: this.#bins.map((kind) => kind[cell] ?? new Histogram()),
      };
    }
  }

  #select(columns: Columns): number {
    let count = columns.rows;
    this.#selected = this.#room.all;
    for (const condition of this.#conditions) {
      count = condition.keep(columns, this.#selected, count, this.#room.kept);
      this.#selected = this.#room.kept;
      if (count === 0) break;
    }
    return count;
  }

  /** The cell of each selected row. */
  #cellsOf(dims: readonly Uint16Array[], window: number, count: number): Int32Array {
    const { numbers } = this.#room;
    if (dims.length === 0) return numbers.fill(this.#cellOf(0, window), 0, count);
    this.#groups.number(dims, this.#selected, count, numbers);
    let [group, cell] = [-1, -1];
    for (let at = 0; at < count; at++) {
      const next = numbers[at] as number;
      if (next !== group) [group, cell] = [next, this.#cellOf(next, window)];
      numbers[at] = cell;
    }
    return numbers;
  }

  #cellOf(group: number, window: number): number {
    const cell = this.#cells.numberOf(group, window);
    if (cell === this.#places.length) this.#places.push({ window, group });
    return cell;
  }

  #addSum(columns: Columns, at: number, cells: Int32Array, count: number): void {
    const { sum } = this.#request.sums[at] as { sum: number };
    const column = columns.sum(sum);
    const total = this.#total(at);
    const only = this.#only[at] ?? null;
    if (only !== null) {
      const answers = this.#answersOf(only, columns, count);
      for (let index = 0; index < count; index++) {
        if (answers[index] === 0) continue;
        const cell = cells[index] as number;
        total[cell] = (total[cell] as number) + (column[this.#selected[index] as number] as number);
      }
    } else if (this.#request.group.length === 0) {
      const cell = cells[0] as number;
      total[cell] = (total[cell] as number) + sumOf(column, this.#selected, count);
    } else addUp(total, column, this.#selected, cells, count);
  }

  /** Sums with the same condition have the same answers. */
  #answersOf(only: Judge, columns: Columns, count: number): Uint8Array {
    const answers = this.#answers.get(only) ?? only.answersFor(columns, this.#selected, count);
    this.#answers.set(only, answers);
    return answers;
  }

  #total(at: number): Float64Array {
    const total = this.#sums[at] as Float64Array;
    if (total.length >= this.#cells.size) return total;
    const larger = new Float64Array(2 * this.#cells.size);
    larger.set(total);
    this.#sums[at] = larger;
    return larger;
  }

  #addBins({ row, bin, count: hits }: Bins, at: number, cells: Int32Array, count: number): void {
    const kind = this.#bins[at] as Histogram[];
    let entry = 0;
    for (let index = 0; index < count; index++) {
      const wanted = this.#selected[index] as number;
      while (entry < row.length && (row[entry] as number) < wanted) entry++;
      for (; entry < row.length && row[entry] === wanted; entry++) {
        const cell = cells[index] as number;
        kind[cell] ??= new Histogram();
        kind[cell].add(bin[entry] as number, hits[entry] as number);
      }
    }
  }
}

/** Arrays for the rows of one block after another. */
class Room {
  /** All rows in their order. */
  all = new Uint32Array(0);
  kept = new Uint32Array(0);
  numbers = new Int32Array(0);

  makeFor(rows: number): void {
    if (this.all.length >= rows) return;
    this.all = new Uint32Array(2 * rows);
    for (let row = 0; row < this.all.length; row++) this.all[row] = row;
    this.kept = new Uint32Array(2 * rows);
    this.numbers = new Int32Array(2 * rows);
  }
}

function judgesOf({ sums }: ScanRequest): (Judge | null)[] {
  const judges = new Map(sums.flatMap(({ only }) => (only ? [[only, new Judge(only)] as const] : [])));
  return sums.map(({ only }) => (only && judges.get(only)) ?? null);
}

/** Histograms of the first so many rows as bins. */
function binsOf(histograms: readonly (Histogram | undefined)[], rows: number): Bins {
  const [row, bin, count]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < rows; at++) {
    for (const [hit, times] of histograms[at]?.hits() ?? []) {
      row.push(at);
      bin.push(hit);
      count.push(times);
    }
  }
  return { row: Uint32Array.from(row), bin: Int16Array.from(bin), count: Float64Array.from(count) };
}

function requireColumns(shape: Shape, { conditions, group, sums, bins }: ScanRequest): void {
  const judged = [...conditions, ...sums.flatMap(({ only }) => only ?? [])].flatMap(({ dims }) => dims);
  const beyond = (asked: readonly number[], length: number) => asked.find((at) => !(at >= 0 && at < length));
  const missing =
    beyond([...judged, ...group], shape.dims) ??
    beyond(
      sums.map(({ sum }) => sum),
      shape.sums,
    ) ??
    beyond(bins, shape.bins);
  if (missing !== undefined) throw new RangeError(`blocks have no column ${missing}`);
}

/** Judges rows by the combination of their values, each combination once. */
class Judge {
  readonly #condition: Condition;
  readonly #numbering: Numbering;
  /** By the combination's number: 1, it holds; 0, it does not. */
  #verdicts = new Uint8Array(64);
  #judged = 0;
  #numbers = new Int32Array(0);
  #answers = new Uint8Array(0);

  constructor(condition: Condition) {
    this.#condition = condition;
    this.#numbering = new Numbering(condition.dims.length);
  }

  /** Writes the rows for which it holds into the beginning of `into`, which may be `selected`. Returns how many they are. */
  keep(columns: Columns, selected: Uint32Array, count: number, into: Uint32Array): number {
    const answers = this.answersFor(columns, selected, count);
    let kept = 0;
    for (let at = 0; at < count; at++) {
      into[kept] = selected[at] as number;
      kept += answers[at] as number;
    }
    return kept;
  }

  /** 1 or 0 for each selected row, in their order. */
  answersFor(columns: Columns, selected: Uint32Array, count: number): Uint8Array {
    if (this.#numbers.length < count) {
      this.#numbers = new Int32Array(2 * count);
      this.#answers = new Uint8Array(2 * count);
    }
    const [numbers, answers] = [this.#numbers, this.#answers];
    this.#numbering.number(this.#condition.dims.map(columns.dim), selected, count, numbers);
    this.#judge();
    const verdicts = this.#verdicts;
    for (let at = 0; at < count; at++) answers[at] = verdicts[numbers[at] as number] as number;
    return answers;
  }

  #judge(): void {
    const { size } = this.#numbering;
    if (this.#verdicts.length < size) {
      const larger = new Uint8Array(2 * size);
      larger.set(this.#verdicts);
      this.#verdicts = larger;
    }
    for (; this.#judged < size; this.#judged++)
      this.#verdicts[this.#judged] = this.#condition.judge(this.#numbering.valuesOf(this.#judged)) ? 1 : 0;
  }
}

/** Adds the selected rows of a column to the totals of their cells. */
function addUp(total: Float64Array, column: Float64Array, selected: Uint32Array, cells: Int32Array, count: number) {
  for (let at = 0; at < count; at++) {
    const cell = cells[at] as number;
    total[cell] = (total[cell] as number) + (column[selected[at] as number] as number);
  }
}

/** The same where all rows are of one cell. */
function sumOf(column: Float64Array, selected: Uint32Array, count: number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += column[selected[at] as number] as number;
  return sum;
}
