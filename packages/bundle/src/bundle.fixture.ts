import { digestOf, packArchive } from "./archive.ts";
import { toBase64 } from "./base64.ts";
import { type BundleFile, signBundle } from "./bundle.ts";
import { signEnvelope } from "./dsse.ts";
import { BundleFault } from "./faults.ts";
import { makeKey, type SigningKey } from "./keys.ts";
import { type Publisher, rotateKey } from "./publisher.ts";
import { STATEMENT_PAYLOAD_TYPE } from "./statement.ts";
import type { BundleFiles } from "./tar.ts";

export const PUBLISHER_ID = "pub_01jz0000000000000000000000";
export const scan = { tool_version: "0.1.0", findings: { error: 0, warning: 1, note: 2 } };
export const source = { installation: "aos.example", created_at: "2026-01-31T12:00:00Z" };

/** A publisher with as many keys, and the private halves. */
export function publisherWith(keys: number): { readonly publisher: Publisher; readonly signingKeys: SigningKey[] } {
  const signingKeys = Array.from({ length: keys }, makeKey);
  const first = { publisher_id: PUBLISHER_ID, name: "Example Works", keys: [signingKeys[0]!.publicKey], rotations: [] };
  const publisher = signingKeys
    .slice(1)
    .reduce<Publisher>((so, next, at) => rotateKey(so, signingKeys[at]!.privateKey, next.publicKey), first);
  return { publisher, signingKeys };
}

export const manifest = {
  kind: "agent",
  name: "invoice-sorter",
  version: "1.2.0",
  title: "Invoice sorter",
  summary: "Sorts incoming invoices by cost centre.",
  requires: { connections: ["mailbox"] },
  permissions: { tools: [] },
  limits: ["It cannot read scanned invoices."],
};

export const bytesOf = (value: unknown): Buffer =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value), "utf8");

/** The files of a small bundle; `changes` adds or replaces some. */
export function sampleFiles(changes: Readonly<Record<string, unknown>> = {}): Map<string, Uint8Array> {
  const files = {
    "agent.yaml": "name: invoice-sorter\n",
    "bundle.json": manifest,
    "readme.md": "# Invoice sorter\n\n## What it cannot do\n\nRead scans.\n",
    "scorecard.json": { results: [{ dataset: "invoices", mean: 0.91 }] },
    "training/sort.jsonl": '{"input":"Toner","output":"office"}\n',
    ...changes,
  };
  return new Map(Object.entries(files).map(([path, contents]) => [path, bytesOf(contents)]));
}

const shared = publisherWith(1);
export const signer = shared.signingKeys[0]!;
export const publisher = shared.publisher;

export const sign = (files: BundleFiles = sampleFiles()): BundleFile =>
  signBundle({ files, scan, source, privateKey: signer.privateKey, publisher });

type Json = Record<string, unknown>;

/** The statement of a bundle as plain JSON, to change and to sign again. */
export const statementOf = (file: BundleFile): Json & { subject: Json[]; predicate: Json } =>
  JSON.parse(Buffer.from(file.envelope.payload, "base64").toString("utf8"));

/** A genuine signature over whatever is given, with nothing checked: what a malicious publisher can make. */
export function signAnything(archive: Uint8Array, payload: string, original: BundleFile = sign()): BundleFile {
  const key = { key_id: signer.publicKey.key_id, privateKey: signer.privateKey };
  return { ...original, archive: toBase64(archive), envelope: signEnvelope(STATEMENT_PAYLOAD_TYPE, payload, key) };
}

/**
 * A bundle in which everything fits, but the archive is what a malicious publisher made of it. `files` are those that
 * the statement names.
 */
export function signArchive(archive: Uint8Array, files: BundleFiles = sampleFiles()): BundleFile {
  const original = sign();
  const statement = statementOf(original);
  statement.subject = [{ ...statement.subject[0], digest: { sha256: digestOf(archive) } }];
  statement.predicate.files = Object.fromEntries([...files].map(([path, contents]) => [path, digestOf(contents)]));
  if (!files.has("scorecard.json")) statement.predicate.scorecard = null;
  return signAnything(archive, JSON.stringify(statement), original);
}

/** Signs files that need not make a valid bundle; their archive and digests fit. */
export const signFiles = (files: BundleFiles): BundleFile => signArchive(packArchive(files), files);

/** The fault that a function throws; fails if it throws none or another error. */
export function faultOf(act: () => unknown): BundleFault {
  try {
    act();
  } catch (error) {
    if (error instanceof BundleFault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
