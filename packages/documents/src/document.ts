/** A part of a document's text. The parts are in the order of the text and hold all of it but the space between them. */
export interface Block {
  readonly kind: "heading" | "text" | "table" | "code";
  /** Of a heading: 1 is the outermost. */
  readonly level?: number;
  /** Where it stands in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** From 1; null where the source has no pages. */
  readonly page: number | null;
}

/** A row of a CSV or JSONL file. */
export interface Row {
  /** What names the row in its source, or null where no column does. */
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a file says. */
export interface ParsedDocument {
  readonly title: string | null;
  /** What a person would read: headings, paragraphs, lists, tables as Markdown tables with their header, code. Empty where the file is rows. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly pages: number | null;
  /**
   * The rows of a CSV or JSONL file, read while they are asked for; they can be read once. Reading may throw a `DocumentFault`. Whoever does not read them to
   * their end leaves the loop or calls `return()`, which ends the process behind them.
   */
  readonly rows: AsyncIterableIterator<Row> | null;
}

/** A text that is no file, as a document: its paragraphs, as they are. */
export function plainDocument(title: string | null, text: string): ParsedDocument {
  const blocks: Block[] = text.trim() === "" ? [] : [{ kind: "text", start: 0, end: text.length, page: null }];
  return { title, text, blocks, pages: null, rows: null };
}
