import canonicalize from "canonicalize";
import { fromBase64 } from "./bytes.ts";
import { hashLength, isCount } from "./merkle.ts";
import { FormatError, openNote, parseNote, type VerifierKey } from "./note.ts";
import { type Removed, removals } from "./removal.ts";

/**
 * The manifest of an export of audit records: a signed note (C2SP signed-note) by the log's key whose text is
 *
 *     aos-audit-export v2
 *     {"bytes":…,"export":"exp_…","filter":{…},"format":"jsonl",…}      one line, canonical JSON (RFC 8785)
 *
 * It binds the file's bytes to what was asked for and to the head of the log that the records were taken from. In version 2 each row carries its place and the exact text of its
 * leaf, whatever the format: JSONL as `leaf_index` and `record`, CSV in the columns `leaf_index` and `leaf_data`, OCSF as `metadata.sequence` and `raw_data`. Everything
 * else in the row follows from these, but for an OCSF event's activity. `skipped` of a row (OCSF: `unmapped.skipped`) is the base64 of the hashes of the complete subtrees,
 * largest and leftmost first as RFC 6962 splits a tree, between the row before and this one; that of the manifest is what is behind the last row. So
 * all rows together lead to `root`.
 *
 * In version 1 only JSONL has the text of leaves, and without a filter alone do they lead to the root. It is read, and no longer written.
 */
export const manifestFormat = "aos-audit-export v2";
const firstFormat = "aos-audit-export v1";

/** The forms of an export's file. */
export const exportFileFormats = ["jsonl", "csv", "ocsf"] as const;
export type ExportFileFormat = (typeof exportFileFormats)[number];

/** What a manifest says. */
export interface ExportManifest {
  /** The export's id, `exp_…`. */
  readonly export: string;
  readonly format: ExportFileFormat;
  /** Which version of the form: of OCSF the version of its schema. */
  readonly schema_version: string;
  /** What narrowed the records; empty: nothing did, so the file holds the whole log up to `tree_size`. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** Records in the file. */
  readonly rows: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** SHA-256 of the file in lower-case hexadecimal. */
  readonly sha256: string;
  /** The log, which is also the name of the key that signs. */
  readonly origin: string;
  /** Records of the log when the export was asked for: every record in the file stands before that place. */
  readonly tree_size: number;
  /** The root hash over these, in base64 (RFC 6962). */
  readonly root: string;
  /** Hashes of the complete subtrees behind the last row, joined, in base64. Version 2. */
  readonly skipped?: string;
  /** Leaves whose text was removed and that therefore have no row, by what removed them; without a filter each is named here. Version 2. */
  readonly without_record?: readonly Removed[];
}

/** The version of a manifest's format. */
export function manifestVersion({ skipped }: ExportManifest): 1 | 2 {
  return skipped === undefined ? 1 : 2;
}

/** Whether an export says of itself that it holds every record of the log that has a text. */
export function isWholeLog({ filter }: ExportManifest): boolean {
  return Object.keys(filter).length === 0;
}

/** Whether it holds every such record from a place on. */
export function isByPlace({ filter }: ExportManifest): boolean {
  return Object.keys(filter).every((name) => name === "from_leaf");
}

/** The text of a manifest, before signing. Throws RangeError for what cannot stand in canonical JSON, such as a lone surrogate in the filter. */
export function formatManifest(manifest: ExportManifest): string {
  const json = canonicalize(manifest);
  if (json === undefined) throw new RangeError("a manifest is a JSON object");
  return `${manifestVersion(manifest) === 1 ? firstFormat : manifestFormat}\n${json}\n`;
}

/** Reads the text of a manifest; throws FormatError with what is wrong. Members that it does not know are refused: they would be signed, but not checked. */
export function parseManifestText(text: string): ExportManifest {
  const [head, json = "", end, ...more] = text.split("\n");
  if (head !== manifestFormat && head !== firstFormat) {
    throw new FormatError(
      `the first line of a manifest reads ${manifestFormat}; this is another format, or one of a newer version`,
    );
  }
  const members = head === firstFormat ? firstMembers : { ...firstMembers, ...laterMembers };
  if (end !== "" || more.length > 0)
    throw new FormatError("a manifest has two lines: its format, and one line of JSON");
  const value = parseObject(json);
  for (const [name, isValid] of Object.entries(members)) {
    if (!isValid(value[name])) throw new FormatError(`"${name}" of the manifest is missing or not of its kind`);
  }
  for (const name of Object.keys(value))
    if (!(name in members)) throw new FormatError(`a manifest has no member "${name}"`);
  if (canonicalize(value) !== json) throw new FormatError("the manifest is not canonical JSON (RFC 8785)");
  return value as unknown as ExportManifest;
}

/** Reads a signed manifest WITHOUT verifying it: good for showing, never for trusting. */
export function readManifestUnverified(note: string): ExportManifest {
  return parseManifestText(parseNote(note).text);
}

/** Verifies the signature and reads the manifest. Its origin must be the key's name, or a key of one log would vouch for another. Throws FormatError. */
export async function openManifest(note: string, key: VerifierKey): Promise<ExportManifest> {
  const manifest = parseManifestText(await openNote(note, key));
  if (manifest.origin !== key.name)
    throw new FormatError(`the manifest is of the log ${manifest.origin}, the key of ${key.name}`);
  return manifest;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isNumber = (value: unknown): boolean => typeof value === "number" && isCount(value);

type Later = "skipped" | "without_record";

const firstMembers: Readonly<Record<Exclude<keyof ExportManifest, Later>, (value: unknown) => boolean>> = {
  export: isText,
  format: (value) => (exportFileFormats as readonly unknown[]).includes(value),
  schema_version: isText,
  filter: isObject,
  rows: isNumber,
  bytes: isNumber,
  sha256: (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
  origin: isText,
  tree_size: isNumber,
  root: (value) => typeof value === "string" && fromBase64(value)?.length === hashLength,
};

const laterMembers: Readonly<Record<Later, (value: unknown) => boolean>> = {
  skipped: (value) => typeof value === "string" && (fromBase64(value)?.length ?? 1) % hashLength === 0,
  without_record: (value) => Array.isArray(value) && value.every(isRemoved),
};

function isRemoved(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { reason, request, leaves, ...more } = value as Record<string, unknown>;
  return (
    (Object.values(removals) as unknown[]).includes(reason) &&
    isText(request) &&
    isNumber(leaves) &&
    Object.keys(more).length === 0
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseObject(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new FormatError("the second line of a manifest is JSON");
  }
  if (!isObject(value)) throw new FormatError("the second line of a manifest is a JSON object");
  return value as Record<string, unknown>;
}
