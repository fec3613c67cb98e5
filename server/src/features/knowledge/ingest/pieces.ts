import { setImmediate as turn } from "node:timers/promises";
import { scanText } from "@aos/data-classes";
import { chunkDocument, cutText, type ParsedDocument, recordText } from "@aos/documents";
import { CHUNK_LENGTH } from "../documents/chunks.ts";
import type { NewChunk } from "../search/index-store.ts";

export type Cut = Omit<NewChunk, "document" | "version">;

/** Yields after so many chunks: about a millisecond of detection each. */
const chunksOfTurn = 8;

export interface CutDocument {
  readonly chunks: readonly Cut[];
  readonly data_classes: string[];
}

export function classesIn(text: string): string[] {
  return [...new Set(scanText(text).map(({ data_class }) => data_class))].sort();
}

export async function cutDocument(
  parsed: Pick<ParsedDocument, "title" | "text" | "blocks" | "pages">,
  {
    title,
    fields = null,
    longest,
  }: { title: string; fields?: Record<string, unknown> | null; longest: number | undefined },
  report: (share: number) => void | Promise<void> = () => undefined,
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
    await report(at / pieces.length);
    await turn();
  }
  for (const chunk of fields === null ? [] : recordChunks(title, fields, chunks.length + 1)) {
    chunks.push(chunk);
    for (const one of chunk.data_classes ?? []) classes.add(one);
  }
  return { chunks, data_classes: [...classes].sort() };
}

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

// What PostgreSQL takes as text: no NUL, and no half of a surrogate pair. The length stays, so that offsets do.

export const soundText = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

export function soundValue<T>(value: T): T {
  if (typeof value === "string") return soundText(value) as T;
  if (Array.isArray(value)) return value.map(soundValue) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [soundText(name), soundValue(one)])) as T;
}
