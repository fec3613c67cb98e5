import { DocumentFault } from "../fault.ts";
import type { Limits } from "../limits.ts";
import { type Output, tooMuchText } from "./output.ts";
import { tellTable } from "./table.ts";
import type { Cell, SheetRow, TallCell } from "./xlsx-sheet.ts";

/** Rows of notes above a table. */
const MOST_NOTES = 10;
/** Merged cells that are looked at for one row. */
const MOST_TALL = 100;

/**
 * The tables of a sheet. Rows without text part them, where what follows begins in another column, or reads like a header; two such rows always do. Notes
 * above the names of its columns are its caption.
 */
export class SheetTables {
  readonly #output: Output;
  readonly #limits: Limits;
  readonly #tall: TallCell[];
  /** Merged cells that reach the rows which follow, with their text. */
  #open: (TallCell & { readonly text: string })[] = [];
  #rows: SheetRow[] = [];
  #length = 0;

  constructor(output: Output, limits: Limits, tall: readonly TallCell[]) {
    this.#output = output;
    this.#limits = limits;
    this.#tall = tall.toReversed();
  }

  add(row: SheetRow): void {
    const before = this.#rows.at(-1);
    if (before !== undefined && this.#isApart(before, row)) this.end();
    this.#spread(row);
    this.#rows.push(row);
    for (const [, text] of row.cells) this.#length += text.length;
    if (this.#length > this.#limits.text) throw new DocumentFault("too_much_text", tooMuchText(this.#limits));
  }

  #isApart(before: SheetRow, row: SheetRow): boolean {
    const gap = row.number - before.number - 1;
    if (gap < 1) return false;
    const readsLikeHeader = !row.hasValues && this.#rows.some(({ hasValues }) => hasValues);
    return gap > 1 || firstColumn(before) !== firstColumn(row) || readsLikeHeader;
  }

  /** Repeats cells that reach over several rows in each of them. */
  #spread(row: SheetRow): void {
    if (this.#open.length === 0 && this.#tall.length === 0) return;
    this.#open = this.#open.filter(({ last }) => last >= row.number);
    for (const { column, text } of this.#open)
      if (!row.cells.some(([own]) => own === column)) row.cells.push([column, text]);
    row.cells.sort(([a], [b]) => a - b);
    for (let next = this.#tall.at(-1); next !== undefined && next.first <= row.number; next = this.#tall.at(-1)) {
      this.#tall.pop();
      const text = next.first === row.number ? row.cells.find(([own]) => own === next.column)?.[1] : undefined;
      if (text !== undefined && this.#open.length < MOST_TALL) this.#open.push({ ...next, text });
    }
  }

  /** Tells the table that is open. */
  end(): void {
    const header = headerOf(this.#rows);
    const captions = header < 0 ? this.#rows : this.#rows.slice(0, header);
    const lines = captions.map(({ cells }) => cells.map(([, text]) => text).join(" "));
    if (lines.length > 0) this.#output.block("text", lines.join("\n"));
    const rows = header < 0 ? [] : this.#rows.slice(header);
    const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(([column]) => column)))].sort((a, b) => a - b);
    const places = new Map(columns.map((column, at) => [column, at]));
    if (rows.length > 0)
      tellTable(
        this.#output,
        rows.map(({ cells }) => lineOf(cells, places)),
      );
    this.#rows = [];
    this.#length = 0;
  }
}

/** The row with the names of columns: the first one that is about as wide as the table; -1 where no row has two cells. */
function headerOf(rows: readonly SheetRow[]): number {
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const header = rows.slice(0, MOST_NOTES).findIndex(({ cells }) => cells.length >= Math.max(2, 0.7 * widest));
  return header >= 0 ? header : rows.findIndex(({ cells }) => cells.length > 1);
}

const firstColumn = ({ cells }: SheetRow): number => cells[0]?.[0] ?? 0;

function lineOf(cells: readonly Cell[], places: ReadonlyMap<number, number>): string[] {
  const line: string[] = [];
  for (const [column, text] of cells) {
    const place = places.get(column) ?? 0;
    while (line.length < place) line.push("");
    line[place] = text;
  }
  return line;
}
