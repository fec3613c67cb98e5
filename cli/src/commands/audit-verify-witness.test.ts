import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  cosignedMessage,
  cosignerKey,
  createTree,
  formatCosignerKey,
  formatExportHeader,
  formatExportLine,
  formatTlogProof,
  formatVerifierKey,
  leafHash,
  parseNote,
  signCheckpoint,
  toBase64,
  utf8,
  verifierKey,
} from "@aos/proof";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess } from "../process.fixture.ts";

const run = inProcess("audit verify");

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32)),
    sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  };
}
const log = keyPair();
const witness = keyPair();
const origin = "aos.example/default/production";
const key = formatVerifierKey(verifierKey(origin, log.publicKey));
const signer = cosignerKey("witness.example/w1", witness.publicKey);
const vkey = formatCosignerKey(signer);
const other = formatCosignerKey(cosignerKey("witness.example/w2", keyPair().publicKey));
const record = `{"environment":"production","id":"aud_0","organization":"default"}`;
const time = 1_700_000_000;

function cosign(checkpoint: string): string {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = witness.sign(cosignedMessage(parseNote(checkpoint).text, time));
  return `${checkpoint}\u2014 ${signer.name} ${toBase64(Buffer.concat([signer.id, stamp, signature]))}\n`;
}

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-"));
  const tree = createTree();
  tree.append(leafHash(record));
  const checkpoint = await signCheckpoint({ origin, size: 1, root: tree.root() }, log);
  const whole = (head: string) =>
    `${formatExportHeader({ origin, public_key: key, checkpoint: head })}\n${formatExportLine({ kind: "leaf", index: 0, record })}\n`;
  await writeFile(at("plain.jsonl"), whole(checkpoint));
  await writeFile(at("cosigned.jsonl"), whole(cosign(checkpoint)));
  await writeFile(at("kept.txt"), cosign(checkpoint));
  await writeFile(
    at("cosigned.proof"),
    formatTlogProof({ index: 0, hashes: [], checkpoint: cosign(checkpoint), extra: utf8(record) }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function aos(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const io = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    env: {},
    isTTY: false,
  };
  return { code: await run(args, io), out, err };
}

describe("aos audit verify --witness", () => {
  it.each(["cosigned.proof", "cosigned.jsonl"])("says when the witness cosigned the checkpoint of %s", async (file) => {
    const { code, out } = await aos(at(file), "--key", key, "--witness", vkey);
    expect(out).toMatch(/^Verified\./);
    expect(out).toContain("Cosigned by witness.example/w1 at 2023-11-14T22:13:20Z");
    expect(code).toBe(0);
  });

  it("wants every witness that it is given, from files too", async () => {
    await writeFile(at("witnesses"), `${vkey}\n${other}\n`);
    const { code, out } = await aos(at("cosigned.proof"), "--key", key, "--witness", at("witnesses"));
    expect(out).toContain("Cosigned by witness.example/w1");
    expect(out).toContain("NOT cosigned by witness.example/w2");
    expect(code).toBe(1);
  });

  it("takes the kept checkpoint where there is one", async () => {
    const without = await aos(at("plain.jsonl"), "--key", key, "--witness", vkey);
    expect([without.code, without.out]).toEqual([1, expect.stringContaining("NOT cosigned by witness.example/w1")]);
    const kept = await aos(at("plain.jsonl"), "--key", key, "--checkpoint", at("kept.txt"), "--witness", vkey);
    expect([kept.code, kept.out]).toEqual([0, expect.stringContaining("Cosigned by witness.example/w1")]);
  });

  it("counts in the result as JSON", async () => {
    const good = JSON.parse((await aos(at("cosigned.proof"), "--key", key, "--witness", vkey, "--json")).out);
    expect(good).toMatchObject({
      verified: true,
      witnesses: [{ witness: "witness.example/w1", cosigned_at: "2023-11-14T22:13:20.000Z" }],
    });
    const bad = JSON.parse((await aos(at("plain.jsonl"), "--key", key, "--witness", vkey, "--json")).out);
    expect(bad).toMatchObject({ verified: false, witnesses: [{ cosigned_at: null }] });
  });

  it("refuses a key that is no witness's, and a manifest without a checkpoint", async () => {
    expect(await aos(at("cosigned.proof"), "--key", key, "--witness", key)).toMatchObject({
      code: 2,
      err: expect.stringContaining("type 4"),
    });
    const missing = await aos(at("plain.jsonl"), "--key", key, "--manifest", at("kept.txt"), "--witness", vkey);
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("--checkpoint") });
  });
});
