// Stands in for `@aos/documents` with the same signatures, for text alone.
import { readFile } from "node:fs/promises";
import { piecesOf } from "../chunks.ts";

export interface Block {
  readonly kind: "heading" | "text" | "table" | "code";
  readonly level?: number;
  readonly start: number;
  readonly end: number;
  readonly page: number | null;
}

export interface Row {
  readonly external_id: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ParsedDocument {
  readonly title: string | null;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly pages: number | null;
  readonly rows: AsyncIterable<Row> | null;
}

export interface Piece {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly kind: "text" | "table" | "code";
  readonly headings: readonly string[];
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly starts_at: number;
  readonly ends_at: number;
}

export class DocumentFault extends Error {
  readonly code: string;
  readonly detail: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
    this.detail = detail;
  }
}

export type Source = ({ path: string } | { bytes: Uint8Array }) & { mediaType: string | null; fileName: string | null };

export interface ParseOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

export async function parseDocument(source: Source, _options: ParseOptions = {}): Promise<ParsedDocument> {
  const bytes = "path" in source ? await readFile(source.path) : source.bytes;
  const name = source.fileName ?? "";
  const type = source.mediaType ?? "";
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentFault("damaged", "The file is no text in UTF-8.");
  }
  if (type.includes("jsonl") || name.endsWith(".jsonl")) return rowsOf(text.split("\n").filter(Boolean), JSON.parse);
  if (type === "text/csv" || name.endsWith(".csv")) {
    const [head = "", ...lines] = text.split("\n").filter(Boolean);
    const names = head.split(",");
    return rowsOf(lines, (line) =>
      Object.fromEntries(line.split(",").map((value, at) => [names[at] as string, value])),
    );
  }
  if (!/^text\/|markdown/.test(type) && !/\.(txt|md)$/.test(name))
    throw new DocumentFault("unsupported_type", `Files of the type ${type || "of unknown type"} cannot be read.`);
  if (text.trim() === "") throw new DocumentFault("no_text", "The file has no text.");
  return plainDocument(null, text);
}

function rowsOf(lines: readonly string[], read: (line: string) => Record<string, unknown>): ParsedDocument {
  const rows = (async function* () {
    for (const line of lines) {
      const fields = read(line);
      const id = fields.external_id ?? fields.id;
      yield { external_id: id === undefined ? null : String(id), fields };
    }
  })();
  return { title: null, text: "", blocks: [], pages: null, rows };
}

export function plainDocument(title: string | null, text: string): ParsedDocument {
  const blocks: Block[] = text.trim() === "" ? [] : [{ kind: "text", start: 0, end: text.length, page: null }];
  return { title, text, blocks, pages: null, rows: null };
}

export function chunkDocument({ title, text }: ParsedDocument, { longest = 1200 } = {}): Piece[] {
  let from = 0;
  return piecesOf(text, longest).map((piece, at) => {
    const start = text.indexOf(piece, from);
    from = start + piece.length;
    const place = { first_page: null, last_page: null, starts_at: start, ends_at: from };
    return { number: at + 1, title: title ?? "", text: piece, kind: "text", headings: [], ...place };
  });
}
