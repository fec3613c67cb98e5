import type { Block, Row } from "../document.ts";
import { DocumentFault } from "../fault.ts";
import type { Limits } from "../limits.ts";

/** What a reader tells, in the order of the document. */
export type Told =
  | { readonly title: string }
  | { readonly block: Omit<Block, "start" | "end">; readonly text: string }
  /** Goes on with the text of the last block. */
  | { readonly more: string }
  | { readonly done: number; readonly all: number; readonly pages: boolean }
  /** The file is rows, which follow. */
  | { readonly rows: number }
  | { readonly row: Row };

/** What is read. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly fileName: string;
  /** The column that names a row. */
  readonly idColumn: string | null;
  readonly limits: Limits;
}

export type Tell = (told: Told) => void;
export type Read = (source: Source, output: Output) => void | Promise<void>;

/** Code units that go into one message. */
const PART = 2 ** 18;
const TITLE = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b\ufeff]/g;

/** Counts what a reader tells, and stops it where it is too much. */
export class Output {
  readonly #tell: Tell;
  readonly #limits: Limits;
  #length = 0;
  #blocks = 0;

  constructor(tell: Tell, limits: Limits) {
    this.#tell = tell;
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#blocks === 0;
  }

  title(text: string | null | undefined): void {
    const title = readable(text ?? "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, TITLE)
      .toWellFormed();
    if (title !== "") this.#tell({ title });
  }

  block(
    kind: Block["kind"],
    given: string,
    { level, page = null }: { level?: number; page?: number | null } = {},
  ): void {
    const text =
      kind === "text" || kind === "heading"
        ? readable(given).trim()
        : readable(given)
            .replace(/^(\s*\n)+/, "")
            .trimEnd();
    if (text !== "") this.#send({ kind, page, ...(level === undefined ? {} : { level }) }, text);
  }

  /** A text as it is, which is not to be cut into paragraphs. */
  literal(text: string): void {
    if (text.trim() !== "") this.#send({ kind: "text", page: null }, text);
  }

  progress(done: number, all: number, pages = false): void {
    this.#tell({ done, all, pages });
  }

  rows(count: number): void {
    this.#tell({ rows: count });
  }

  row(row: Row): void {
    this.#tell({ row });
  }

  #send(block: Omit<Block, "start" | "end">, text: string): void {
    this.#length += text.length + 2;
    if (this.#length > this.#limits.text) throw new DocumentFault("too_much_text", tooMuchText(this.#limits));
    if (++this.#blocks > this.#limits.blocks)
      throw new DocumentFault(
        "too_complex",
        `It has more than ${this.#limits.blocks} paragraphs. Split it into several documents.`,
      );
    this.#tell({ block, text: text.slice(0, PART) });
    for (let from = PART; from < text.length; from += PART) this.#tell({ more: text.slice(from, from + PART) });
  }
}

export const tooMuchText = ({ text }: Limits): string =>
  `Its text has more than ${text} characters. Split it into several documents.`;

/** Without what has no meaning in a text: control characters, invisible hyphens, halves of characters. */
export const readable = (text: string): string => text.replaceAll(/\r\n?/g, "\n").replace(unwanted, "").toWellFormed();
