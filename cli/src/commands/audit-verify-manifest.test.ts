import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  createTree,
  formatManifest,
  formatVerifierKey,
  leafHash,
  signCheckpoint,
  signNote,
  toBase64,
  verifierKey,
} from "@aos/proof";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../process.fixture.ts";

const run = inProcess("audit verify");

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signer = {
  publicKey: publicKey.export({ format: "der", type: "spki" }).subarray(-32),
  sign: (message: Uint8Array) => sign(null, message, privateKey),
};
const origin = "aos.example/default/production";
const key = formatVerifierKey(verifierKey(origin, signer.publicKey));
const otherKey = formatVerifierKey(verifierKey("aos.example/default/staging", signer.publicKey));
const leaves = [0, 1].map((i) => `{"environment":"production","id":"aud_${i}","organization":"default"}`);
const jsonl = leaves.map((record, index) => `${JSON.stringify({ leaf_index: index, record })}\n`).join("");
const csv = "leaf_index,audit_ref\r\n1,aud_1\r\n";

let folder: string;
const at = (name: string): string => path.join(folder, name);

async function manifestOf(file: string, format: "jsonl" | "csv", rows: number, filter: object): Promise<string> {
  const tree = createTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  const text = formatManifest({
    export: "exp_1",
    format,
    schema_version: `aos-audit-${format} v1`,
    filter: { ...filter },
    rows,
    bytes: Buffer.byteLength(file),
    sha256: createHash("sha256").update(file).digest("hex"),
    origin,
    tree_size: 2,
    root: toBase64(tree.root()),
  });
  return signNote(text, origin, signer);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-manifest-"));
  await writeFile(at("log.jsonl"), jsonl);
  await writeFile(at("log.manifest"), await manifestOf(jsonl, "jsonl", 2, {}));
  await writeFile(at("changed.jsonl"), jsonl.replace("aud_1", "aud_2"));
  await writeFile(at("one.csv"), csv);
  await writeFile(
    at("one.json"),
    JSON.stringify({ export_id: "exp_1", manifest: await manifestOf(csv, "csv", 1, { object: "audit" }) }),
  );
  await writeFile(at("running.json"), JSON.stringify({ export_id: "exp_1", manifest: null }));
  await writeFile(at("keys"), `${otherKey}\n${key}\n`);
});

/** A checkpoint as somebody outside kept it, of a log that held these records. */
async function kept(name: string, records: readonly string[], by = signer): Promise<string> {
  const tree = createTree();
  for (const record of records) tree.append(leafHash(record));
  await writeFile(at(name), await signCheckpoint({ origin, size: records.length, root: tree.root() }, by));
  return at(name);
}

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function aos(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const io = { stdout: { write: (text: string) => (out += text) }, stderr: { write: (text: string) => (err += text) } };
  const code = await run(args, { ...io, env: {}, isTTY: false });
  return { code, out, err };
}

describe("aos audit verify with a manifest", () => {
  it("verifies an export under a given key, and says what it was of and how deep it was looked at", async () => {
    const { code, out } = await aos(at("log.jsonl"), "--manifest", at("log.manifest"), "--key", key);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(
        /^Verified\. Export exp_1 of the log aos\.example\/default\/production: 2 records, in \d+\.\d s\.$/,
      ),
      "Format jsonl (aos-audit-jsonl v1), no filter, taken when the log had 2 records.",
      "These are all records of the log up to then, unchanged and in order: they lead to its root.",
      `Key: ${key}, given.`,
      "",
    ]);
    expect(code).toBe(0);
  });

  it("finds the manifest in an answer of the service, and the log's own key in a file of keys", async () => {
    const { code, out } = await aos(at("one.csv"), "--manifest", at("one.json"), "--key", at("keys"));
    expect(out).toContain(
      'Format csv (aos-audit-csv v1), filter {"object":"audit"}, taken when the log had 2 records.',
    );
    expect(out).toContain("The file is what the log's key signed.");
    expect(out).toContain("Not proved: That the rows are records of the log");
    expect(code).toBe(0);
  });

  it("answers 1 and says what does not hold", async () => {
    const changed = await aos(at("changed.jsonl"), "--manifest", at("log.manifest"), "--key", key);
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(
      /^NOT verified\. 2 things do not hold\.\n {2}root: the records do not lead to the signed root.*\n {2}changed: /,
    );
    const foreign = await aos(at("log.jsonl"), "--manifest", at("log.manifest"), "--key", otherKey);
    expect(foreign.code).toBe(1);
    expect(foreign.out).toContain("signature: not signed by the key aos.example/default/staging");
    const noNote = await aos(at("log.jsonl"), "--manifest", at("one.csv"), "--key", key);
    expect([noNote.code, noNote.out]).toEqual([1, expect.stringContaining("signature: a note is UTF-8 text")]);
  });

  it("writes one JSON object with --json", async () => {
    const good = await aos(at("log.jsonl"), "--manifest", at("log.manifest"), "--key", key, "--json");
    expect(JSON.parse(good.out)).toMatchObject({
      kind: "manifest",
      verified: true,
      records: "root",
      rows: 2,
      manifest: { tree_size: 2 },
    });
    const bad = await aos(at("changed.jsonl"), "--manifest", at("log.manifest"), "--key", key, "--json");
    expect(JSON.parse(bad.out)).toMatchObject({
      verified: false,
      findings_total: 2,
      findings: [{ kind: "root" }, { kind: "changed" }],
    });
  });

  it("says that an export of the whole log contains what a kept checkpoint covers", async () => {
    const checkpoint = await kept("earlier", leaves.slice(0, 1));
    const { code, out } = await aos(
      at("log.jsonl"),
      "--manifest",
      at("log.manifest"),
      "--key",
      key,
      "--checkpoint",
      checkpoint,
    );
    expect([code, out]).toEqual([0, expect.stringContaining("The kept checkpoint covers the first 1 of them.")]);
  });

  it("says that records are missing, or are not those, which a kept checkpoint covers", async () => {
    const verify = (checkpoint: string) =>
      aos(at("log.jsonl"), "--manifest", at("log.manifest"), "--key", key, "--checkpoint", checkpoint);
    const longer = await verify(await kept("longer", [...leaves, "{}"]));
    expect([longer.code, longer.out]).toEqual([
      1,
      expect.stringContaining("covers 3 records, this export only 2: the newest are missing"),
    ]);
    const other = await verify(await kept("other", ["{}"]));
    expect([other.code, other.out]).toEqual([
      1,
      expect.stringContaining("the first 1 records are not those that the kept checkpoint covers"),
    ]);
    const pair = generateKeyPairSync("ed25519");
    const foreign = { ...signer, sign: (message: Uint8Array) => sign(null, message, pair.privateKey) };
    const forged = await verify(await kept("forged", leaves, foreign));
    expect([forged.code, forged.out]).toEqual([1, expect.stringContaining("signature: the kept checkpoint: ")]);
  });

  it("compares no kept checkpoint with an export that is not of the whole log", async () => {
    const { code, out } = await aos(
      at("one.csv"),
      "--manifest",
      at("one.json"),
      "--key",
      key,
      "--checkpoint",
      await kept("one", leaves),
    );
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("with an export of the whole log only: one without a filter"),
    ]);
  });

  it("answers 2 with one clear line for what it cannot use", async () => {
    for (const [args, message] of [
      [
        [at("log.jsonl"), "--manifest", at("log.manifest")],
        `pass it with --key. It claims to be from the log ${origin}.`,
      ],
      [[at("one.csv"), "--manifest", at("running.json"), "--key", key], "the export was not finished"],
      [[at("absent"), "--manifest", at("log.manifest"), "--key", key], "File not found"],
      [[at("one.csv"), "--manifest", at("absent"), "--key", key], "File not found"],
      [[folder, "--manifest", at("log.manifest"), "--key", key], "cannot be read (EISDIR)"],
      [[at("one.csv"), "--manifest", at("one.json"), "--record", at("one.csv"), "--key", key], "Remove --record"],
      [
        [at("log.jsonl"), "--manifest", at("log.manifest"), "--checkpoint", at("absent"), "--key", key],
        "File not found",
      ],
    ] as const) {
      const { code, err } = await aos(...args);
      expect([code, err], message).toEqual([2, expect.stringContaining(message)]);
      expect(err.trimEnd().split("\n")).toHaveLength(1);
    }
  });

  it("tells whoever forgot the manifest of an export that it has one", async () => {
    for (const name of ["log.jsonl", "one.csv"]) {
      const { code, out } = await aos(at(name), "--key", key);
      expect([code, out]).toEqual([
        1,
        expect.stringContaining("is verified by its manifest: pass it with --manifest."),
      ]);
    }
  });
});
