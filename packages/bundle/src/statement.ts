import { canonicalJson } from "@aos/strict-json";
import { digestOf } from "./archive.ts";
import { BundleFault } from "./faults.ts";
import { readJson } from "./json.ts";
import { ARCHIVE_LIMITS, FILE_LIMITS } from "./limits.ts";
import { type BundleManifest, readManifest, readScorecard } from "./manifest.ts";
import { anyObject, count, list, literal, nullable, object, plainName, record, type Shape, text } from "./shapes.ts";
import type { BundleFiles } from "./tar.ts";
import {
  type BundleKind,
  keyId,
  kind,
  listingName,
  publisherId,
  publisherName,
  sha256Hex,
  time,
  version,
} from "./words.ts";

export const STATEMENT_PAYLOAD_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE = "https://aos.example/marketplace-bundle/v1";

/** What a scan found when the bundle was made. */
export interface BundleScan {
  readonly tool_version: string;
  readonly findings: { readonly error: number; readonly warning: number; readonly note: number };
}

/** Where and when a bundle was made. */
export interface BundleSource {
  readonly installation: string;
  /** UTC, as `2026-01-31T12:00:00Z`. */
  readonly created_at: string;
}

/** What the publisher signed about a bundle. */
export interface BundlePredicate {
  readonly publisher: { readonly publisher_id: string; readonly name: string; readonly key_id: string };
  readonly kind: BundleKind;
  readonly name: string;
  readonly version: string;
  /** SHA-256 of every file in the archive, in hexadecimal, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly scorecard: Readonly<Record<string, unknown>> | null;
  readonly scan: BundleScan;
  readonly source: BundleSource;
}

/** An in-toto v1 statement about one archive. */
export interface BundleStatement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: BundlePredicate;
}

const statementShape: Shape<BundleStatement> = object({
  _type: literal(STATEMENT_TYPE),
  subject: list(object({ name: text(100), digest: object({ sha256: sha256Hex }) }), { least: 1, most: 1 }),
  predicateType: literal(PREDICATE_TYPE),
  predicate: object({
    publisher: object({ publisher_id: publisherId, name: publisherName, key_id: keyId }),
    kind,
    name: listingName,
    version,
    files: record(sha256Hex, ARCHIVE_LIMITS.files),
    scorecard: nullable(anyObject),
    scan: object({
      tool_version: plainName(100),
      findings: object({ error: count, warning: count, note: count }),
    }),
    source: object({ installation: plainName(200), created_at: time }),
  }),
});

/** The statement about these files and their archive, as the text to sign. */
export function writeStatement(
  files: BundleFiles,
  archive: Uint8Array,
  parts: Pick<BundlePredicate, "publisher" | "scan" | "source">,
): string {
  const manifest = readManifest(files);
  const { publisher_id, name, key_id } = parts.publisher;
  const { error, warning, note } = parts.scan.findings;
  return JSON.stringify({
    _type: STATEMENT_TYPE,
    subject: [{ name: subjectOf(manifest), digest: { sha256: digestOf(archive) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      publisher: { publisher_id, name, key_id },
      kind: manifest.kind,
      name: manifest.name,
      version: manifest.version,
      files: Object.fromEntries([...files.keys()].sort().map((path) => [path, digestOf(files.get(path)!)])),
      scorecard: readScorecard(files),
      scan: { tool_version: parts.scan.tool_version, findings: { error, warning, note } },
      source: { installation: parts.source.installation, created_at: parts.source.created_at },
    },
  });
}

const subjectOf = (of: { readonly name: string; readonly version: string }): string => `${of.name}@${of.version}`;

/** Reads a statement's payload. Throws the faults `statement_json`, `statement_shape` and `statement_subject`. */
export function readStatement(payload: Uint8Array): BundleStatement {
  const value = readJson(payload, "statement", { usual: "statement_json" }, FILE_LIMITS.depth);
  const statement = statementShape(value, { code: "statement_shape", part: "statement", at: "" });
  const expected = subjectOf(statement.predicate);
  if (statement.subject[0]!.name !== expected)
    throw new BundleFault(
      "statement_subject",
      { part: "statement", at: "/subject/0/name" },
      `The subject is not ${expected}.`,
    );
  return statement;
}

/** Throws unless the files are exactly those that the statement names, with their digests. */
export function checkFiles(files: BundleFiles, { files: digests }: BundlePredicate): void {
  for (const path of digests.keys())
    if (!files.has(path))
      throw new BundleFault("file_missing", { part: "archive", at: path }, "A file of the statement is not there.");
  for (const [path, contents] of files) {
    const digest = digests.get(path);
    const place = { part: "archive", at: path } as const;
    if (digest === undefined) throw new BundleFault("file_unnamed", place, `The statement does not name ${path}.`);
    if (digestOf(contents) !== digest) throw new BundleFault("file_digest", place, `The file ${path} is another.`);
  }
}

/** Reads bundle.json and throws unless it, and scorecard.json, say the same as the statement. */
export function checkManifest(files: BundleFiles, predicate: BundlePredicate): BundleManifest {
  const manifest = readManifest(files);
  for (const field of ["kind", "name", "version"] as const)
    if (manifest[field] !== predicate[field])
      throw new BundleFault(
        "manifest_differs",
        { part: "bundle.json", at: `/${field}` },
        `bundle.json has the ${field} ${manifest[field]}, the statement has ${predicate[field]}.`,
      );
  if (canonicalJson(readScorecard(files)) !== canonicalJson(predicate.scorecard))
    throw new BundleFault("scorecard_differs", { part: "scorecard.json", at: "" }, "The two scorecards differ.");
  return manifest;
}
