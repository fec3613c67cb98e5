import mammoth from "mammoth";
import { DocumentFault } from "../fault.ts";
import { readFragment } from "./html.ts";
import type { Output, Source } from "./output.ts";
import { refuseDoctypes } from "./xml.ts";
import { unzipped } from "./zip.ts";

/** Of the parts of a DOCX file, those with text and what it refers to; images and embedded files stay packed. */
const wanted = (name: string): boolean =>
  /^(\[Content_Types\]\.xml|[^/]+\.xml|_rels\/.*|word\/(_rels\/.*|[^/]+\.xml)|docProps\/core\.xml)$/.test(name);

/** The text of a DOCX file. Mammoth makes HTML of it, and sees only what was unpacked within the limits. */
export async function readDocx({ bytes, limits }: Source, output: Output): Promise<void> {
  const { files } = await unzipped(bytes, wanted, limits);
  refuseDoctypes(files.values());
  output.title(/<dc:title[^>]*>([^<]*)<\/dc:title>/.exec(files.get("docProps/core.xml")?.toString("utf8") ?? "")?.[1]);
  readFragment(await htmlOf(files), output);
}

/** Beside what mammoth makes headings of by itself. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

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
    const { value } = await mammoth.convertToHtml({ file } as never, {
      convertImage,
      includeEmbeddedStyleMap: false,
      styleMap,
    });
    return value.replaceAll(/ ?<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, "");
  } catch (error) {
    if (error instanceof RangeError || error instanceof DocumentFault) throw error;
    throw new DocumentFault(
      "damaged",
      "Its parts do not fit together. Open it in a word processor, save it as DOCX again, and send that.",
    );
  }
}
