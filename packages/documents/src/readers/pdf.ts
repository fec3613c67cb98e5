import { getDocumentProxy } from "unpdf";
import { DocumentFault } from "../fault.ts";
import { type Output, readable, type Source, tooMuchText } from "./output.ts";
import { tellPages } from "./pdf-blocks.ts";
import { type Item, type Line, linesOf } from "./pdf-lines.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of a PDF by pages, with headings by the size of their letters. Images, forms and scripts are not looked at. */
export async function readPdf({ bytes, limits }: Source, output: Output): Promise<void> {
  const pdf = await opened(bytes);
  const count = pdf.numPages;
  if (count > limits.pages)
    throw new DocumentFault("too_many_pages", `It has ${count} pages, and at most ${limits.pages} are read. Split it.`);
  output.title(await titleOf(pdf));
  output.progress(0, count, true);
  const pages: Line[][] = [];
  let [length, broken] = [0, 0];
  for (let number = 1; number <= count; number++) {
    const lines = await linesOfPage(pdf, number);
    if (lines === null) broken++;
    pages.push(lines ?? []);
    for (const line of lines ?? []) length += line.text.length;
    if (length > limits.text) throw new DocumentFault("too_much_text", tooMuchText(limits));
    output.progress(number, count, true);
  }
  if (broken === count) throw damaged();
  tellPages(pages, output);
}

async function opened(bytes: Uint8Array): Promise<Pdf> {
  try {
    const quiet = { verbosity: 0, isEvalSupported: false, useSystemFonts: false, disableFontFace: true };
    return await getDocumentProxy(ownBytes(bytes), { ...quiet, maxImageSize: 1, isOffscreenCanvasSupported: false });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    if ((error as Error).name === "PasswordException")
      throw new DocumentFault("encrypted", "It is protected by a password. Remove the protection, and send it again.");
    throw damaged();
  }
}

/** Bytes that pdf.js may keep: no Buffer, and no part of what others use. */
const ownBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(buffer, byteOffset, byteLength).slice();

const damaged = (): DocumentFault =>
  new DocumentFault(
    "damaged",
    "It is no complete PDF. Open it in a viewer, save or print it as PDF again, and send that.",
  );

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const { Title: title } = info as { Title?: unknown };
  return typeof title === "string" && !/^(untitled|microsoft word - |.*\.(docx?|indd|tex|dvi|qxd)$)/i.test(title.trim())
    ? title
    : "";
}

/** The lines of a page; null where it cannot be read. */
async function linesOfPage(pdf: Pdf, number: number): Promise<Line[] | null> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const lines = linesOf(items.filter((item): item is typeof item & Item => "str" in item));
    for (const line of lines) line.text = readable(line.text);
    return lines;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}
