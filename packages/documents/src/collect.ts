import type { Block, ParsedDocument } from "./document.ts";
import { DocumentFault } from "./fault.ts";
import type { Limits } from "./limits.ts";
import { type Told, tooMuchText } from "./readers/output.ts";

/** Puts together what a reader tells, and believes none of its sizes. */
export class Collector {
  readonly #limits: Limits;
  readonly #blocks: Block[] = [];
  readonly #parts: string[] = [];
  #length = 0;
  #title: string | null = null;
  #pages: number | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  take(told: Told): void {
    if ("title" in told) this.#title ??= told.title;
    else if ("block" in told) this.#open(told.block, told.text);
    else if ("more" in told) this.#goOn(told.more);
    else if ("done" in told && told.pages) this.#pages = told.all;
  }

  #open({ kind, level, page }: Omit<Block, "start" | "end">, text: string): void {
    if (this.#blocks.length > 0) this.#add("\n\n");
    const start = this.#length;
    if (kind === "heading" && level === 1) this.#title ??= text.slice(0, 500).toWellFormed();
    this.#add(text);
    this.#blocks.push({ kind, ...(level === undefined ? {} : { level }), start, end: this.#length, page });
    if (this.#blocks.length > this.#limits.blocks) throw new DocumentFault("too_complex", "It has too many parts.");
  }

  #goOn(text: string): void {
    const block = this.#blocks.pop();
    this.#add(text);
    if (block !== undefined) this.#blocks.push({ ...block, end: this.#length });
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length > this.#limits.text) throw new DocumentFault("too_much_text", tooMuchText(this.#limits));
  }

  document(rows: ParsedDocument["rows"]): ParsedDocument {
    return { title: this.#title, text: this.#parts.join(""), blocks: this.#blocks, pages: this.#pages, rows };
  }
}
