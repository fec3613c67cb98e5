import { setImmediate as turn } from "node:timers/promises";
import { scanText } from "@aos/data-classes";
import { cutText, RECORD_LENGTH, recordText } from "@aos/documents";

export interface Said {
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
}

export interface Piece {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

/** The longest chunk, in UTF-16 code units: of a text about two paragraphs, of a record as much as makes most records one chunk. */
export const CHUNK_LENGTH = { text: 1200, record: RECORD_LENGTH } as const;

/**
 * The chunks of a document: its text in pieces that end where a paragraph, a line, a sentence or a word does, then its record as lines `name: value`. Each is a
 * literal part of what was given, so that it can be cited. The title is the document's, or else its external id.
 */
export function chunksOf({ external_id, title, text, fields }: Said, longest: number = CHUNK_LENGTH.text): Piece[] {
  const texts = [
    ...(text === null ? [] : cutText(text, longest)),
    ...(fields === null ? [] : cutText(recordText(fields), CHUNK_LENGTH.record)),
  ];
  return texts.map((one, at) => ({ number: at + 1, title: title || (external_id ?? ""), text: one }));
}

const chunksOfTurn = 8;

export async function chunksFor(document: string, version: number, pieces: readonly Piece[]) {
  const chunks: (Piece & { document: string; version: number; data_classes: string[] })[] = [];
  for (const piece of pieces) {
    chunks.push({ document, version, ...piece, data_classes: classesIn(piece.text) });
    if (chunks.length % chunksOfTurn === 0) await turn();
  }
  return chunks;
}

export const classesIn = (text: string): string[] =>
  [...new Set(scanText(text).map(({ data_class }) => data_class))].sort();
