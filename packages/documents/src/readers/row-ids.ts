import { hash } from "node:crypto";
import { DocumentFault } from "../fault.ts";

/** The longest value that names a row. */
const LONGEST = 255;
/** How many columns may name the rows, and how many of their values are remembered to tell whether they are unique. */
const MOST_COLUMNS = 64;
const MOST_VALUES = 5_000_000;

export type Fields = Record<string, unknown>;

/** Finds the column that names the rows: one that has another value in each row. A column called `id` comes first, then `…_id`, then the others as they stand. */
export class RowIds {
  readonly #wanted: string | null;
  /** What is left of the columns, with digests of their values. */
  #columns: Map<string, Set<number>> | null = null;
  #values = 0;

  constructor(wanted: string | null) {
    this.#wanted = wanted;
  }

  add(fields: Fields, place: () => string): void {
    if (this.#wanted !== null && textOf(fields[this.#wanted]) === null)
      throw new DocumentFault(
        "damaged",
        `${place()} has no value of at most ${LONGEST} characters in ${JSON.stringify(this.#wanted)}, the column of the external id. Add it, or name another column.`,
      );
    this.#columns ??= new Map(candidates(Object.keys(fields)).map((name) => [name, new Set()]));
    for (const [name, seen] of this.#columns) {
      const text = textOf(fields[name]);
      const digest = text === null ? null : digestOf(text);
      if (digest === null || seen.has(digest)) this.#drop(name, seen);
      else {
        seen.add(digest);
        this.#values++;
      }
    }
    for (const [name, seen] of [...this.#columns].reverse()) if (this.#values > MOST_VALUES) this.#drop(name, seen);
  }

  #drop(name: string, seen: Set<number>): void {
    this.#columns?.delete(name);
    this.#values -= seen.size;
  }

  /** The column, once all rows were added; null where none names them. */
  get column(): string | null {
    return this.#wanted ?? this.#columns?.keys().next().value ?? null;
  }
}

/** The external id of a row. */
export const idOf = (fields: Fields, column: string | null): string | null =>
  column === null ? null : textOf(fields[column]);

function candidates(names: readonly string[]): string[] {
  const rank = (name: string): number =>
    /^id$/i.test(name) ? 0 : /(_id|[a-z]Id|[-\s]id)$|^(external_?id|uuid|key|sku)$/i.test(name) ? 1 : 2;
  return names.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_COLUMNS);
}

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text.length > LONGEST ? null : text;
}

/** 48 bits: one false likeness among five million values happens in one file of twenty-five, and leaves it without a column. */
const digestOf = (text: string): number => Number.parseInt(hash("md5", text).slice(0, 12), 16);
