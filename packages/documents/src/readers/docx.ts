import mammoth from "mammoth";
import { DocumentFault } from "../fault.ts";
import { refused } from "./detect.ts";
import { readFragment } from "./html.ts";
import type { Output, Source } from "./output.ts";
import { unzipped } from "./zip.ts";

/** Of the parts of a DOCX file, those with text and what it refers to; images and embedded files stay packed. */
const wanted = (name: string): boolean =>
  /^(\[Content_Types\]\.xml|[^/]+\.xml|_rels\/.*|word\/(_rels\/.*|[^/]+\.xml)|docProps\/core\.xml)$/.test(name);

/** The text of a DOCX file. Mammoth makes HTML of it, and sees only what was unpacked within the limits. */
export async function readDocx({ bytes, limits }: Source, output: Output): Promise<void> {
  const { names, files } = await unzipped(bytes, wanted, limits);
  if (!names.includes("[Content_Types].xml")) throw refused("an archive. Unpack it, and send its files");
  if (names.some((name) => name.startsWith("xl/"))) throw refused("a workbook. Save its sheets as CSV");
  if (names.some((name) => name.startsWith("ppt/"))) throw refused("a presentation. Save it as PDF");
  for (const file of files.values()) if (hasDoctype(file)) throw withDoctype();
  output.title(/<dc:title[^>]*>([^<]*)<\/dc:title>/.exec(files.get("docProps/core.xml")?.toString("utf8") ?? "")?.[1]);
  readFragment(await htmlOf(files), output);
}

/** No program writes a document type into DOCX; the format forbids it. */
const hasDoctype = (file: Buffer): boolean =>
  file.includes("<!DOCTYPE") ||
  file.includes("<!ENTITY") ||
  file.includes(Buffer.from("<!DOCTYPE", "utf16le")) ||
  file.includes(Buffer.from("<!ENTITY", "utf16le"));

const withDoctype = (): DocumentFault =>
  new DocumentFault(
    "damaged",
    "Its XML declares a document type, which DOCX forbids. Save it again in its program, and send that.",
  );

async function htmlOf(files: ReadonlyMap<string, Buffer>): Promise<string> {
  // What mammoth makes of an archive that it opens itself.
  const file = {
    exists: (name: string) => files.has(name),
    read: async (name: string, encoding?: string) => {
      const found = files.get(name);
      if (found === undefined) throw new Error(`${name} is missing`);
      return encoding === "base64"
        ? found.toString("base64")
        : encoding
          ? new TextDecoder(encoding).decode(found)
          : found;
    },
  };
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ file } as never, { convertImage, includeEmbeddedStyleMap: false });
    return value.replaceAll(/ ?<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, "");
  } catch (error) {
    if (error instanceof RangeError || error instanceof DocumentFault) throw error;
    throw new DocumentFault(
      "damaged",
      "Its parts do not fit together. Open it in a word processor, save it as DOCX again, and send that.",
    );
  }
}
