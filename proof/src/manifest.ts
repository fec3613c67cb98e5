import canonicalize from "canonicalize";
import { fromBase64 } from "./bytes.ts";
import { hashLength, isCount } from "./merkle.ts";
import { FormatError, openNote, parseNote, type VerifierKey } from "./note.ts";

/**
 * The manifest of an export of audit records: a signed note (C2SP signed-note) by the log's key whose text is
 *
 *     aos-audit-export v1
 *     {"bytes":…,"export":"exp_…","filter":{…},"format":"jsonl",…}      one line, canonical JSON (RFC 8785)
 *
 * It binds the file's bytes to what was asked for and to the head of the log that the records were taken from.
 */
export const manifestFormat = "aos-audit-export v1";

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
}

/** The text of a manifest, before signing. Throws RangeError for what cannot stand in canonical JSON, such as a lone surrogate in the filter. */
export function formatManifest(manifest: ExportManifest): string {
  const json = canonicalize(manifest);
  if (json === undefined) throw new RangeError("a manifest is a JSON object");
  return `${manifestFormat}\n${json}\n`;
}

/** Reads the text of a manifest; throws FormatError with what is wrong. Members that it does not know are refused: they would be signed, but not checked. */
export function parseManifestText(text: string): ExportManifest {
  const [head, json = "", end, ...more] = text.split("\n");
  if (head !== manifestFormat) throw new FormatError(`the first line of a manifest reads ${manifestFormat}`);
  if (end !== "" || more.length > 0) throw new FormatError("a manifest has two lines: its format, and one line of JSON");
  const value = parseObject(json);
  for (const [name, isValid] of Object.entries(members)) {
    if (!isValid(value[name])) throw new FormatError(`"${name}" of the manifest is missing or not of its kind`);
  }
  for (const name of Object.keys(value)) if (!(name in members)) throw new FormatError(`a manifest has no member "${name}"`);
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
  if (manifest.origin !== key.name) throw new FormatError(`the manifest is of the log ${manifest.origin}, the key of ${key.name}`);
  return manifest;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isNumber = (value: unknown): boolean => typeof value === "number" && isCount(value);

const members: Readonly<Record<keyof ExportManifest, (value: unknown) => boolean>> = {
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
