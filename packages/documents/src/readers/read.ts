import { DocumentFault } from "../fault.ts";
import { type Format, formatOf } from "./detect.ts";
import { Output, type Read, type Source, type Tell } from "./output.ts";

/** Loaded when they are needed: most of what a process takes to start is its libraries. */
const readers: Readonly<Record<Format, () => Promise<Read>>> = {
  text: async () => (await import("./plain.ts")).readPlain,
  markdown: async () => (await import("./markdown.ts")).readMarkdown,
  html: async () => (await import("./html.ts")).readHtml,
  pdf: async () => (await import("./pdf.ts")).readPdf,
  archive: async () => (await import("./archive.ts")).readArchive,
  csv: async () => (await import("./csv.ts")).readCsv,
  jsonl: async () => (await import("./jsonl.ts")).readJsonl,
};

/** Reads a file and tells what it says. Throws a `DocumentFault` where it cannot. */
export async function read(source: Source, tell: Tell): Promise<void> {
  const { bytes, limits } = source;
  if (bytes.length === 0) throw new DocumentFault("empty", "It is empty. Send a file with contents.");
  if (bytes.length > limits.bytes)
    throw new DocumentFault(
      "too_large",
      `It has ${bytes.length} bytes, and at most ${limits.bytes} are read. Split it.`,
    );
  const format = formatOf(source);
  const output = new Output(tell, limits);
  const reader = await readers[format]();
  await reader(source, output);
  if (output.isEmpty && format !== "csv" && format !== "jsonl")
    throw new DocumentFault(
      "no_text",
      format === "pdf" ? noTextInPdf : "It has no text that could be searched. Check its contents, and send it again.",
    );
}

const noTextInPdf =
  "It has no text, so its pages are probably scanned. Run text recognition (OCR) on it, and send it again.";
