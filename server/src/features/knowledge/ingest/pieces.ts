import { setImmediate as turn } from "node:timers/promises";
import { scanText } from "@aos/data-classes";
import { cutText, recordText } from "@aos/documents";
import { CHUNK_LENGTH } from "../chunks.ts";
import type { NewChunk } from "../search/index-store.ts";
import { chunkDocument, type ParsedDocument } from "./parsing.ts";

/** A chunk before it is known which document and version it is of. */
export type Cut = Omit<NewChunk, "document" | "version">;

/** Chunks between which other work of the process has its turn: about a millisecond of detection each. */
const chunksOfTurn = 8;

export interface CutDocument {
  readonly chunks: readonly Cut[];
  readonly data_classes: string[];
}

/** The classes of data in a text. */
export function classesIn(text: string): string[] {
  return [...new Set(scanText(text).map(({ data_class }) => data_class))].sort();
}

/** Cuts a document and finds the classes of data in each chunk. */
export async function cutDocument(
  parsed: Pick<ParsedDocument, "title" | "text" | "blocks" | "pages">,
  {
    title,
    fields = null,
    longest,
  }: { title: string; fields?: Record<string, unknown> | null; longest: number | undefined },
  told: (share: number) => void | Promise<void> = () => undefined,
): Promise<CutDocument> {
  const pieces = chunkDocument(parsed, longest === undefined ? {} : { longest });
  const chunks: Cut[] = [];
  const classes = new Set<string>(classesIn(title));
  for (const [at, piece] of pieces.entries()) {
    const { number, text, kind, first_page, last_page, starts_at, ends_at } = piece;
    const data_classes = classesIn(text);
    for (const one of data_classes) classes.add(one);
    const place = { first_page, last_page, starts_at, ends_at };
    chunks.push({ number, title, text, kind, headings: [...piece.headings], ...place, data_classes });
    if (at % chunksOfTurn !== 0) continue;
    await told(at / pieces.length);
    await turn();
  }
  for (const chunk of fields === null ? [] : recordChunks(title, fields, chunks.length + 1)) {
    chunks.push(chunk);
    for (const one of chunk.data_classes ?? []) classes.add(one);
  }
  return { chunks, data_classes: [...classes].sort() };
}

/** The chunks of a record. */
export function recordChunks(title: string, fields: Readonly<Record<string, unknown>>, from = 1): Cut[] {
  return cutText(recordText(fields), CHUNK_LENGTH.record).map((text, at) => ({
    number: from + at,
    title,
    text,
    kind: "record",
    headings: [],
    data_classes: classesIn(text),
  }));
}
