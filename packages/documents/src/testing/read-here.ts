import { Collector } from "../collect.ts";
import type { ParsedDocument, Row } from "../document.ts";
import { LIMITS, type Limits } from "../limits.ts";
import type { Told } from "../readers/output.ts";
import { read } from "../readers/read.ts";

interface Given extends Partial<Limits> {
  mediaType?: string;
  fileName?: string;
  idColumn?: string;
}

/** Reads a file in this process: the same readers, quicker. */
export async function readHere(
  contents: string | Uint8Array,
  { mediaType = "", fileName = "", idColumn, ...own }: Given = {},
): Promise<Omit<ParsedDocument, "rows"> & { rows: Row[]; told: Told[] }> {
  const limits = { ...LIMITS, ...own };
  const collector = new Collector(limits);
  const told: Told[] = [];
  const bytes = Buffer.from(contents as string); // a copy: a reader may keep it
  await read({ bytes, mediaType, fileName, idColumn: idColumn ?? null, limits }, (one) => {
    told.push(one);
    collector.take(one);
  });
  return { ...collector.document(null), rows: told.flatMap((one) => ("row" in one ? [one.row] : [])), told };
}

/** The blocks with their text. */
export const partsOf = ({ text, blocks }: Pick<ParsedDocument, "text" | "blocks">): string[] =>
  blocks.map(
    ({ kind, level, start, end, page }) =>
      `${kind}${level ?? ""}${page === null ? "" : `@${page}`}: ${text.slice(start, end)}`,
  );
