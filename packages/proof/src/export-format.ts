import { fromBase64, toBase64 } from "./bytes.ts";
import { repeatedName } from "./canonical.ts";
import { hashLength, isCount } from "./merkle.ts";
import { FormatError } from "./note.ts";
import { tileWidth } from "./tiles.ts";

/**
 * The format `aos-audit-log v1`: UTF-8, one JSON object per line, newline after each. A folder holds the same lines in files
 * `*.jsonl`, read in the order of their names.
 *
 *     {"format":"aos-audit-log v1","origin":…,"public_key":<verifier key>,"checkpoint":<signed note>}
 *     {"tile":0,"hashes":<base64: the leaf hashes of the next 256 leaves, fewer in the last tile>}      optional
 *     {"leaf_index":0,"record":<leaf data: the record's canonical JSON, as a string>}
 *     {"leaf_index":1,"leaf_hash":<base64>}                                       a leaf whose record is no longer kept
 *     …
 *
 * Tile lines are the level-0 tiles of C2SP tlog-tiles, each before its leaves. They decide nothing about whether a log verifies; with
 * them a verifier can say which leaf was changed, deleted, moved or inserted. Either every 256 leaves have one, or none.
 */
export const exportFormat = "aos-audit-log v1";

/** The first line of an export. */
export interface ExportHeader {
  readonly format: typeof exportFormat;
  readonly origin: string;
  /** Verifier key (C2SP signed-note). It comes with the file: trust it only if it is also known from elsewhere. */
  readonly public_key: string;
  /** Signed checkpoint of the whole export. */
  readonly checkpoint: string;
}

/** A line after the first. */
export type ExportLine =
  | { readonly kind: "tile"; readonly index: number; readonly hashes: Uint8Array }
  | { readonly kind: "leaf"; readonly index: number; readonly record: string }
  | { readonly kind: "leaf_hash"; readonly index: number; readonly hash: Uint8Array };

/** The first line, without its newline. */
export function formatExportHeader(header: Omit<ExportHeader, "format">): string {
  const { origin, public_key, checkpoint } = header;
  return JSON.stringify({ format: exportFormat, origin, public_key, checkpoint });
}

/** A line of a tile or leaf, without its newline. */
export function formatExportLine(line: ExportLine): string {
  if (line.kind === "tile") return `{"tile":${line.index},"hashes":"${toBase64(line.hashes)}"}`;
  if (line.kind === "leaf") return `{"leaf_index":${line.index},"record":${JSON.stringify(line.record)}}`;
  return `{"leaf_index":${line.index},"leaf_hash":"${toBase64(line.hash)}"}`;
}

/** Reads the first line; throws FormatError. */
export function parseExportHeader(line: string): ExportHeader {
  const header = parseObject(line);
  if (header.format !== exportFormat)
    throw new FormatError(`the first line of an export has "format": "${exportFormat}"`);
  for (const name of ["origin", "public_key", "checkpoint"] as const) {
    if (typeof header[name] !== "string") throw new FormatError(`the first line of an export has a text "${name}"`);
  }
  return header as unknown as ExportHeader;
}

/** Reads a line after the first; throws FormatError with what is wrong. */
export function parseExportLine(line: string): ExportLine {
  const object = parseObject(line);
  if (object.tile !== undefined) {
    const hashes = typeof object.hashes === "string" ? fromBase64(object.hashes) : undefined;
    const width = hashes ? hashes.length / hashLength : 0;
    if (!hashes || !Number.isInteger(width) || width < 1 || width > tileWidth) {
      throw new FormatError(`"hashes" of a tile is the base64 of 1 to ${tileWidth} hashes`);
    }
    return { kind: "tile", index: count(object.tile, "tile"), hashes };
  }
  const index = count(object.leaf_index, "leaf_index");
  if (typeof object.record === "string") return { kind: "leaf", index, record: object.record };
  const hash = typeof object.leaf_hash === "string" ? fromBase64(object.leaf_hash) : undefined;
  if (hash?.length !== hashLength)
    throw new FormatError('a leaf has a text "record", or "leaf_hash" with the base64 of 32 bytes');
  return { kind: "leaf_hash", index, hash };
}

function parseObject(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new FormatError("not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new FormatError("not a JSON object");
  const repeated = repeatedName(line);
  if (repeated !== null) throw new FormatError(`${JSON.stringify(repeated)} occurs twice in one object`);
  return value as Record<string, unknown>;
}

function count(value: unknown, name: string): number {
  if (typeof value !== "number" || !isCount(value)) throw new FormatError(`"${name}" is a whole number from 0`);
  return value;
}

/** Splits chunks of UTF-8 into lines without their newlines; throws FormatError for bytes that are not UTF-8. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new FormatError("the file is not UTF-8 text");
    }
  };
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decode(chunk)).split("\n");
    rest = lines.pop() as string;
    if (lines.length > 0) yield lines;
  }
  rest += decode();
  if (rest !== "") yield [rest];
}
