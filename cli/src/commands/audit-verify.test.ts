import { generateKeyPairSync, sign } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  createTree,
  formatExportHeader,
  formatExportLine,
  formatTlogProof,
  formatVerifierKey,
  leafHash,
  parseTlogProof,
  signCheckpoint,
  utf8,
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
const isProof = (content: string | Buffer): boolean => content.toString().startsWith("c2sp.org/tlog-proof");
const leaves = [0, 1].map((i) => `{"environment":"production","id":"aud_${i}","organization":"default"}`);

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-"));
  const tree = createTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  const checkpoint = await signCheckpoint({ origin, size: 2, root: tree.root() }, signer);
  const lines = leaves.map((record, index) => formatExportLine({ kind: "leaf", index, record }));
  const header = formatExportHeader({ origin, public_key: key, checkpoint });
  await writeFile(at("log.jsonl"), `${[header, ...lines].join("\n")}\n`);
  await writeFile(at("changed.jsonl"), `${[header, lines[0], lines[1]?.replace("aud_1", "aud_2")].join("\n")}\n`);
  await writeFile(at("cut.jsonl"), `${[header, lines[0]].join("\n")}\n`);
  await mkdir(at("folder"));
  await writeFile(at("folder/1.jsonl"), `${header}\n`);
  await writeFile(at("folder/2.jsonl"), `${lines.join("\n")}\n`);
  await mkdir(at("empty"));
  await writeFile(
    at("a.tlog-proof"),
    formatTlogProof({ index: 0, hashes: [leafHash(leaves[1] as string)], checkpoint }),
  );
  await writeFile(at("record.json"), `${leaves[0]}\n`);
  await writeFile(at("indented.json"), JSON.stringify(JSON.parse(leaves[0] as string), null, 2));
  await writeFile(at("other.json"), leaves[1] as string);
  await writeFile(at("key.txt"), `${key}\n`);
  await writeFile(at("none.txt"), "\n");
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command as the shell would. */
async function aos(
  args: string[],
  io: { isTTY?: boolean; env?: Record<string, string> } = {},
): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await run(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    env: io.env ?? {},
    isTTY: io.isTTY ?? false,
  });
  return { code, out, err };
}

describe("aos audit verify", () => {
  it("verifies an export under a given key, from a file and from a folder", async () => {
    for (const name of ["log.jsonl", "folder"]) {
      const { code, out } = await aos([at(name), "--key", key]);
      expect(out).toMatch(/^Verified\. The log aos\.example\/default\/production: 2 records/);
      expect(out).toContain("given.");
      expect(code).toBe(0);
    }
  });

  it("says clearly when the key came from the file itself", async () => {
    const { code, out } = await aos([at("log.jsonl")]);
    expect(code).toBe(0);
    expect(out).toContain(`The key was taken from the file itself: ${key}`);
    expect(out).toContain("not who wrote it");
  });

  it("answers 1 and says what does not hold", async () => {
    const changed = await aos([at("changed.jsonl"), "--key", at("key.txt")]);
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(/^NOT verified\.[\s\S]*root: the records do not lead to the signed root/);
    const cut = await aos([at("cut.jsonl"), "--key", key]);
    expect(cut.code).toBe(1);
    expect(cut.out).toContain("the checkpoint covers 2 records, the file holds 1");
  });

  it("verifies a proof with its record, indented or not", async () => {
    for (const record of ["record.json", "indented.json"]) {
      const { code, out } = await aos([at("a.tlog-proof"), "--record", at(record), "--key", key]);
      expect(out).toBe(`Verified. The record is number 0 of the log ${origin}, which has 2 records.\n${leaves[0]}\n`);
      expect(code).toBe(0);
    }
  });

  it("takes the record that a proof carries, and the log's own key from a file of keys", async () => {
    const carried = formatTlogProof({
      ...parseTlogProof(await readFile(at("a.tlog-proof"), "utf8")),
      extra: utf8(leaves[0] as string),
    });
    await writeFile(at("carried.proof"), carried);
    await writeFile(at("keys"), `${otherKey}\n${key}\n`);
    const { code, out } = await aos([at("carried.proof"), "--key", at("keys")]);
    expect(code).toBe(0);
    expect(out).toContain(leaves[0]);
  });

  it("finds the leaf data in an answer of the service", async () => {
    await writeFile(at("answer.json"), JSON.stringify({ audit_ref: "aud_0", leaf_data: leaves[0] }));
    expect((await aos([at("a.tlog-proof"), "--record", at("answer.json"), "--key", key])).code).toBe(0);
  });

  it("refuses a proof with another record", async () => {
    const { code, out } = await aos([at("a.tlog-proof"), "--record", at("other.json"), "--key", key]);
    expect(code).toBe(1);
    expect(out).toMatch(/^NOT verified\. inclusion: /);
  });

  it("does not verify a proof without a key or record, and says which log it claims", async () => {
    expect(await aos([at("a.tlog-proof"), "--record", at("record.json")])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`from the log ${origin}`),
    });
    expect(await aos([at("a.tlog-proof"), "--key", key])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--record"),
    });
  });

  it("writes one JSON object with --json, and nothing else", async () => {
    const good = await aos([at("log.jsonl"), "--json"], { isTTY: true });
    expect(JSON.parse(good.out)).toMatchObject({ kind: "export", verified: true, key_from: "file", leaves: 2 });
    expect(good.err).toBe("");
    const proof = await aos([at("a.tlog-proof"), "--record", at("other.json"), "--key", key, "--json"]);
    expect(JSON.parse(proof.out)).toMatchObject({ kind: "proof", verified: false, part: "inclusion" });
  });

  it("colours and shows progress on a terminal only, and no colour with NO_COLOR", async () => {
    const terminal = await aos([at("log.jsonl")], { isTTY: true });
    expect(terminal.out).toContain("\u001b[32mVerified.\u001b[0m");
    expect(terminal.err).toContain("2 of 2 records");
    expect((await aos([at("log.jsonl")], { isTTY: true, env: { NO_COLOR: "1" } })).out).not.toContain("\u001b");
    expect(await aos([at("log.jsonl")])).toMatchObject({ err: "", out: expect.not.stringContaining("\u001b") });
  });

  it.each([
    ["text", "root:x:0:0:root:/root:/bin/sh\n"],
    ["random bytes", Buffer.from("80ff00fec3280a9f", "hex")],
    ["nothing", ""],
    ["null", "null\n"],
    ["a list", "[]\n"],
    ["a checkpoint that is no text", '{"checkpoint":5}\n'],
    ["a checkpoint that is no note", '{"format":"aos-audit-log v1","origin":"a","public_key":"b","checkpoint":"c"}\n'],
    ["a first line without an end", `{"checkpoint":"${"x".repeat(2 << 20)}`],
    ["a broken proof", "c2sp.org/tlog-proof@v1\nindex x\n"],
  ])("finds %s not verified, with one key and with several", async (_what, content) => {
    await writeFile(at("bad"), content);
    await writeFile(at("keys"), `${otherKey}\n${key}\n`);
    for (const keys of [key, at("keys")]) {
      const { code, out, err } = await aos(
        [at("bad"), "--record", at("record.json"), "--key", keys].toSpliced(1, isProof(content) ? 0 : 2),
      );
      expect(err).toBe("");
      expect(out).toMatch(
        isProof(content) ? /^NOT verified\. \w+: / : /^NOT verified\. (The log a: )?1 thing does not hold\.\n/,
      );
      expect(code).toBe(1);
    }
  });

  it("takes the log's own key for an export whose first line is longer than what is read at once", async () => {
    const [header = "", ...rest] = (await readFile(at("log.jsonl"), "utf8")).split("\n");
    await mkdir(at("long"));
    // The first line comes in two chunks: it is spread over two files.
    await writeFile(at("long/1.jsonl"), header.slice(0, 40));
    await writeFile(at("long/2.jsonl"), [header.slice(40), ...rest].join("\n"));
    await writeFile(at("keys"), `${otherKey}\n${key}\n`);
    expect(await aos([at("long"), "--key", at("keys")])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Key: ${key}, given.`),
    });
  });

  it("answers 2 with one clear line for what it cannot use", async () => {
    for (const [args, message] of [
      [[at("absent")], "File not found"],
      [[at("empty")], "has no *.jsonl files"],
      [[], "missing required argument 'file'"],
      [[at("log.jsonl"), "--key", "a+b+c"], "--key: a verifier key reads"],
      [[at("log.jsonl"), "--key", at("none.txt")], "contains no key"],
      [[at("key.txt/absent")], "cannot be read (ENOTDIR)"],
      [[at("log.jsonl"), "--colour"], "--colour"],
      [[at("log.jsonl"), "--record", at("record.json")], "an export contains its records"],
      [
        [at("a.tlog-proof"), "--record", at("record.json"), "--key", key, "--checkpoint", at("key.txt")],
        "--checkpoint is only for a whole log or an export of it",
      ],
    ] as const) {
      const { code, err } = await aos([...args]);
      expect(code, message).toBe(2);
      expect(err).toContain(message);
    }
    expect(await aos(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("Exit status") });
  });
});
