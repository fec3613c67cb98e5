import { DocumentFault } from "../fault.ts";
import { refused } from "./detect.ts";
import type { Output, Read, Source } from "./output.ts";
import { zipEntry, zipNames } from "./zip.ts";

/** What is read of a ZIP archive, by the names of its files. */
const readers: readonly (readonly [name: RegExp, reader: () => Promise<Read>])[] = [
  [/^word\//, async () => (await import("./docx.ts")).readDocx],
  [/^xl\//, async () => (await import("./xlsx.ts")).readXlsx],
  [/^ppt\//, async () => (await import("./pptx.ts")).readPptx],
];

/** A document that is a ZIP archive: DOCX, XLSX, PPTX or EPUB. */
export async function readArchive(source: Source, output: Output): Promise<void> {
  const names = await zipNames(source.bytes);
  if (names.includes("META-INF/container.xml")) {
    const { readEpub } = await import("./epub.ts");
    return readEpub(source, output);
  }
  if (!names.includes("[Content_Types].xml")) throw refused(await kindOf(source, names));
  if (names.includes("xl/workbook.bin")) throw refused("a binary workbook. Save it as XLSX");
  const reader = readers.find(([name]) => names.some((one) => name.test(one)))?.[1];
  if (reader === undefined)
    throw new DocumentFault(
      "damaged",
      "Its document is missing. Open it in its program, save it again, and send that.",
    );
  await (await reader())(source, output);
}

async function kindOf({ bytes, limits }: Source, names: readonly string[]): Promise<string> {
  const type = names.includes("mimetype") ? await zipEntry(bytes, "mimetype", limits) : "";
  return type.startsWith("application/vnd.oasis.opendocument")
    ? "an OpenDocument file. Save it as DOCX, XLSX, PPTX or PDF"
    : "an archive. Unpack it, and send its files";
}
