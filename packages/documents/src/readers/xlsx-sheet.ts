import type { NumberText } from "./xlsx-formats.ts";
import { type Attributes, readXml } from "./xml.ts";

/** A cell with text, by its column from 0. */
export type Cell = readonly [column: number, text: string];

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  readonly cells: Cell[];
  /** Whether a cell holds a number, a date or a truth value. */
  readonly hasValues: boolean;
}

/** What cells refer to. */
export interface Workbook {
  readonly strings: readonly string[];
  readonly numberText: NumberText;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
  inline: string;
  formula: string;
}

/** Columns and rows of the largest sheet that Excel writes. */
const MOST = { columns: 16_384, rows: 1_048_576 } as const;

/** The rows of a sheet that have text, in its order, without those that are hidden. */
export function readSheet(file: Buffer, { strings, numberText }: Workbook, tell: (row: SheetRow) => void): void {
  let row: { number: number; hidden: boolean; cells: Cell[]; hasValues: boolean } | null = null;
  let cell: OpenCell | null = null;
  let [taking, last, phonetic] = ["" as "" | "value" | "inline" | "formula", 0, false];
  readXml(file, {
    open(name, attributes) {
      if (name === "row") {
        last = Math.min(MOST.rows, Number(attributes.r) || last + 1);
        row = { number: last, hidden: isTrue(attributes.hidden), cells: [], hasValues: false };
      } else if (name === "c" && row !== null) cell = openCell(attributes, (row.cells.at(-1)?.[0] ?? -1) + 1);
      else if (name === "v") taking = "value";
      else if (name === "f") taking = "formula";
      else if (name === "rPh") phonetic = true;
      else if (name === "t" && !phonetic) taking = "inline";
    },
    text(text) {
      if (cell !== null && taking !== "") cell[taking] += text;
    },
    close(name) {
      if (name === "v" || name === "f" || name === "t") taking = "";
      else if (name === "rPh") phonetic = false;
      else if (name === "c" && cell !== null && row !== null) {
        const text = textOf(cell, strings, numberText);
        if (text !== "") row.cells.push([cell.column, text]);
        if (text !== "" && !/^(s|str|inlineStr)$/.test(cell.type)) row.hasValues = true;
        cell = null;
      } else if (name === "row" && row !== null) {
        if (row.cells.length > 0 && !row.hidden) tell(row);
        row = null;
      }
    },
  });
}

const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

function openCell({ r = "", t = "n", s }: Attributes, next: number): OpenCell {
  const column = columnOf(r) ?? Math.min(next, MOST.columns - 1);
  return { column, type: t, style: Number(s ?? 0), value: "", inline: "", formula: "" };
}

function textOf(
  { type, style, value, inline, formula }: OpenCell,
  strings: readonly string[],
  text: NumberText,
): string {
  if (type === "inlineStr") return inline.trim();
  if (value === "") return formula === "" ? "" : `=${formula}`;
  if (type === "s") return strings[Number(value)]?.trim() ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const number = Number(value);
  return type === "n" && Number.isFinite(number) ? text(number, style) : value.trim();
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return Math.min(column, MOST.columns) - 1;
}

/** A cell that reaches over several rows: its column, and its first and last row. */
export interface TallCell {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** Merged cells of several rows, by their first row. They stand behind the rows, and so are read first. */
export function tallCells(file: Buffer, most = 10_000): TallCell[] {
  const found: TallCell[] = [];
  const end = Math.max(0, file.lastIndexOf("sheetData>"));
  readXml(file.subarray(file.lastIndexOf("<", end)), {
    open(name, { ref = "" }) {
      const [, start = "", first, last] = (name === "mergeCell" && /^([A-Z]+\d+):[A-Z]+(\d+)$/.exec(ref)) || [];
      const rows = [Number(/\d+$/.exec(start)?.[0]), Number(first ?? last)] as const;
      const column = columnOf(start);
      if (column !== null && rows[1] > rows[0] && found.length < most)
        found.push({ column, first: rows[0], last: rows[1] });
    },
  });
  return found.sort((a, b) => a.first - b.first);
}
