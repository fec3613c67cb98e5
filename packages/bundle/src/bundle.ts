import type { KeyObject } from "node:crypto";
import { digestOf, packArchive, unpackArchive } from "./archive.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import {
  type DecodedEnvelope,
  decodeEnvelope,
  type Envelope,
  envelopeShape,
  isSignedBy,
  signEnvelope,
} from "./dsse.ts";
import { BundleFault } from "./faults.ts";
import { readJson } from "./json.ts";
import { ARCHIVE_LIMITS, base64Length, FILE_LIMITS } from "./limits.ts";
import type { BundleManifest } from "./manifest.ts";
import {
  checkSigner,
  type DecodedPublisher,
  decodePublisher,
  type Publisher,
  publisherShape,
  verifyKeys,
} from "./publisher.ts";
import { literal, object, type Shape, text } from "./shapes.ts";
import {
  type BundleScan,
  type BundleSource,
  type BundleStatement,
  checkFiles,
  checkManifest,
  readStatement,
  STATEMENT_PAYLOAD_TYPE,
  writeStatement,
} from "./statement.ts";
import type { BundleFiles } from "./tar.ts";

const FORMAT = "aos-bundle/1";

/** A bundle as it travels between installations. */
export interface BundleFile {
  readonly format: typeof FORMAT;
  /** Base64 of the archive. */
  readonly archive: string;
  readonly envelope: Envelope<typeof STATEMENT_PAYLOAD_TYPE>;
  readonly publisher: Publisher;
}

/** A bundle that its publisher's last key signed. Whether to trust this key is for `checkRotations` and for people. */
export interface VerifiedBundle {
  readonly manifest: BundleManifest;
  readonly files: BundleFiles;
  readonly statement: BundleStatement;
  readonly publisher: Publisher;
  /** SHA-256 of the archive, in lower-case hexadecimal. */
  readonly digest: string;
}

/**
 * What to sign. `bundle.json` among the files gives kind, name and version; `scorecard.json`, if there, the scorecard.
 */
export interface BundleParts {
  readonly files: BundleFiles;
  readonly scan: BundleScan;
  readonly source: BundleSource;
  /** The private key of the publisher's last key. */
  readonly privateKey: KeyObject;
  readonly publisher: Publisher;
}

const fileShape: Shape<BundleFile> = object({
  format: literal(FORMAT),
  archive: text(base64Length(ARCHIVE_LIMITS.archive)),
  envelope: envelopeShape(STATEMENT_PAYLOAD_TYPE, FILE_LIMITS.statement),
  publisher: publisherShape,
});

/** Packs and signs a bundle. Throws a BundleFault for whatever `verifyBundle` would refuse. */
export function signBundle({ files, scan, source, privateKey, publisher }: BundleParts): BundleFile {
  const { key_id } = checkSigner(publisher, privateKey);
  const archive = packArchive(files);
  const signer = { publisher_id: publisher.publisher_id, name: publisher.name, key_id };
  const statement = writeStatement(files, archive, { publisher: signer, scan, source });
  const envelope = signEnvelope(STATEMENT_PAYLOAD_TYPE, statement, { key_id, privateKey });
  const file = readShape({ format: FORMAT, archive: toBase64(archive), envelope, publisher });
  verifyBundle(file);
  return file;
}

/** The text of a travelling file (suffix `.aosbundle`): canonical, so that one bundle has one text. */
export function bundleText(file: BundleFile): string {
  return JSON.stringify(readShape(file));
}

/**
 * Verifies a travelling file: its text or the UTF-8 bytes of it, which must be canonical, or the value that was parsed
 * from JSON. Checks in this order, and throws a BundleFault at the first that fails: shape; base64 and keys; signatures
 * of bundle and rotations; the statement; the archive's digest; only then decompression and tar; the digest of every
 * file; bundle.json against the statement.
 */
export function verifyBundle(input: unknown): VerifiedBundle {
  const file = typeof input === "string" || input instanceof Uint8Array ? readText(input) : readShape(input);
  const archive = fromBase64(file.archive, { part: "file", at: "/archive" });
  const envelope = decodeEnvelope(file.envelope, { part: "file", at: "/envelope" });
  const publisher = decodePublisher(file.publisher);
  verifySignature(envelope, publisher);
  verifyKeys(publisher);
  const statement = readStatement(envelope.payload);
  comparePublisher(statement, file.publisher);
  const digest = digestOf(archive);
  if (digest !== statement.subject[0]!.digest.sha256)
    throw new BundleFault("archive_digest", { part: "file", at: "/archive" }, `The archive has the SHA-256 ${digest}.`);
  const files = unpackArchive(archive);
  checkFiles(files, statement.predicate);
  const manifest = checkManifest(files, statement.predicate);
  return { manifest, files, statement, publisher: file.publisher, digest };
}

function readText(input: string | Uint8Array): BundleFile {
  const place = { part: "file", at: "" } as const;
  const length = typeof input === "string" ? Buffer.byteLength(input) : input.length;
  if (length > FILE_LIMITS.text) throw new BundleFault("file_too_large", place, `The file has ${length} bytes.`);
  if (typeof input === "string" && !input.isWellFormed())
    throw new BundleFault("file_json", place, "The text has half a surrogate pair.");
  const bytes = typeof input === "string" ? Buffer.from(input, "utf8") : input;
  const file = readShape(readJson(bytes, "file", { usual: "file_json" }, FILE_LIMITS.depth));
  if (!Buffer.from(JSON.stringify(file), "utf8").equals(bytes))
    throw new BundleFault("file_not_canonical", place, "The same bundle is spelled another way.");
  return file;
}

function readShape(value: unknown): BundleFile {
  return fileShape(value, { code: "file_shape", part: "file", at: "" });
}

function verifySignature(envelope: DecodedEnvelope, { keys, publicKeys }: DecodedPublisher): void {
  const at = "/envelope/signatures/0";
  const { key_id } = keys.at(-1)!;
  if (envelope.keyid !== key_id)
    throw new BundleFault("signer", { part: "file", at: `${at}/keyid` }, `The bundle is not signed by ${key_id}.`);
  if (!isSignedBy(envelope, publicKeys.at(-1)!))
    throw new BundleFault("signature", { part: "file", at: `${at}/sig` }, "The signature does not fit.");
}

function comparePublisher({ predicate }: BundleStatement, { publisher_id, name, keys }: Publisher): void {
  const beside = { publisher_id, name, key_id: keys.at(-1)!.key_id };
  for (const field of ["publisher_id", "name", "key_id"] as const)
    if (predicate.publisher[field] !== beside[field])
      throw new BundleFault(
        "publisher_differs",
        { part: "statement", at: `/predicate/publisher/${field}` },
        `The statement has another ${field}.`,
      );
}
