import { DocumentFault } from "../fault.ts";
import { declaredCharset, markedCharset } from "./encoding.ts";
import type { Source } from "./output.ts";

/** `archive`: a ZIP archive, whose files say what it is. */
export type Format = "text" | "markdown" | "html" | "pdf" | "archive" | "csv" | "jsonl";

const byMediaType: Readonly<Record<string, Format>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/mdx": "markdown",
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/jsonl": "jsonl",
  "application/x-jsonlines": "jsonl",
  "application/json-lines": "jsonl",
  "application/jsonlines": "jsonl",
  "application/ndjson": "jsonl",
  "application/x-ndjson": "jsonl",
};

const byExtension: Readonly<Record<string, Format>> = {
  txt: "text",
  text: "text",
  log: "text",
  md: "markdown",
  markdown: "markdown",
  mdown: "markdown",
  mdx: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  csv: "csv",
  tsv: "csv",
  tab: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
};

/** What files of a kind that is not read begin with, and what to send instead. */
const others: readonly (readonly [start: string, what: string])[] = [
  ["{\\rtf", "an RTF file. Save it as DOCX or PDF"],
  ["\x89PNG", "an image. Send a PDF with text"],
  ["\xff\xd8\xff", "an image. Send a PDF with text"],
  ["GIF8", "an image. Send a PDF with text"],
  ["II*\0", "an image. Send a PDF with text"],
  ["MM\0*", "an image. Send a PDF with text"],
  ["\x1f\x8b", "a gzip archive. Unpack it, and send its files"],
  ["7z\xbc\xaf", "a 7z archive. Unpack it, and send its files"],
  ["Rar!", "a RAR archive. Unpack it, and send its files"],
  ["\x7fELF", "a program"],
  ["MZ", "a program"],
  ["SQLite format 3\0", "a database. Export its rows as CSV"],
  ["%!PS", "a PostScript file. Convert it to PDF"],
];

export const supported = "Supported are text, Markdown, MDX, HTML, PDF, DOCX, XLSX, PPTX, EPUB, CSV and JSONL.";

/** What a file is: by its contents where they say so, else by its media type, else by its name. Throws a fault where it is nothing that is read. */
export function formatOf({ bytes, mediaType, fileName }: Pick<Source, "bytes" | "mediaType" | "fileName">): Format {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  const charset = markedCharset(bytes) ?? declaredCharset(mediaType);
  const binary = binaryFormat(start, bytes, charset);
  if (binary !== null) return binary;
  const text = textStart(bytes, charset);
  if (/^\s*(<\?xml[^>]*>\s*)?(<!--((?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html)[\s>]/i.test(text)) return "html";
  const declared = byMediaType[mediaType.split(";")[0]?.trim().toLowerCase() ?? ""];
  const extension = /\.([a-z\d]{1,10})$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const named = declared ?? byExtension[extension];
  if (named !== undefined) return named;
  if (/^\s*<(\?xml|svg)[\s>]/i.test(text)) throw refused("an XML file");
  if (/^\s*\{\s*".*\}\s*(\n\s*\{|$)/.test(text)) return "jsonl";
  if (/^application\/json\b/i.test(mediaType) || extension === "json")
    throw refused("a JSON document. Send JSONL, one object in each line");
  return "text";
}

function binaryFormat(start: string, bytes: Uint8Array, charset: string | null): Format | null {
  if (start.slice(0, 1024).includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return "archive";
  if (start.startsWith("\xd0\xcf\x11\xe0")) {
    const name = Buffer.from("EncryptedPackage", "utf16le");
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name))
      throw new DocumentFault("encrypted", "It is protected by a password. Remove the protection, and send it again.");
    throw refused("a file of an old Office release. Save it as DOCX, XLSX, PPTX or PDF");
  }
  const other = others.find(([mark]) => start.startsWith(mark));
  if (other !== undefined && (other[0] !== "MZ" || start.includes("\0"))) throw refused(other[1]);
  if (start.includes("\0") && !/^utf-(16|32)/i.test(charset ?? "")) throw refused("a binary file");
  return null;
}

/** The first characters of a text, whatever its charset: enough to see what it looks like. */
const textStart = (bytes: Uint8Array, charset: string | null): string =>
  new TextDecoder(/^utf-16(le|be)$/i.test(charset ?? "") ? (charset as string) : "utf-8").decode(
    bytes.subarray(0, 4096),
  );

export const refused = (what: string): DocumentFault =>
  new DocumentFault("unsupported_type", `It is ${what}. ${supported}`);
