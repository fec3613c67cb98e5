import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { verifyTLogInclusion } from "@sigstore/verify/dist/tlog/index.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, fromBase64, toBase64, utf8 } from "./bytes.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { leafHash } from "./merkle.ts";
import { type Ed25519Signer, formatVerifierKey, parseNote, verifierKey } from "./note.ts";
import { createTree, inclusionProof, type TileReader } from "./tiles.ts";
import { formatTlogProof, parseTlogProof, verifyProof, verifyRecordProof } from "./tlog-proof.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const signer: Ed25519Signer = {
  publicKey: new Uint8Array(
    Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x as string, "base64url"),
  ),
  sign: (message) => sign(null, message, privateKey),
};
const origin = "aos.example/default/production";
const publicKey = verifierKey(origin, signer.publicKey);

const size = 1_000;
const dataAt = (i: number): string => `{"id":"aud_${i}","note":"\u00e4"}`;
const tree = createTree({ tiles: true });
for (let i = 0; i < size; i++) tree.append(leafHash(dataAt(i)));
const tiles = new Map(tree.takeTiles().map((t) => [`${t.level}/${t.index}`, t.data]));
const read: TileReader = async (ids) => ids.map((id) => tiles.get(`${id.level}/${id.index}`) ?? new Uint8Array(0));
const checkpoint = await signCheckpoint({ origin, size, root: tree.root() }, signer);

async function proofOf(index: number): Promise<string> {
  return formatTlogProof({ index, hashes: await inclusionProof(read, index, size), checkpoint });
}

/** Our proof as the entry that npm @sigstore/verify takes, and our key as its log authority. */
function sigstore(proofText: string, leafData: string): [never, never] {
  const proof = parseTlogProof(proofText);
  const keyId = Buffer.from(parseNote(proof.checkpoint).signatures[0]?.keyId as Uint8Array);
  const entry = {
    logId: { keyId },
    logIndex: String(proof.index),
    canonicalizedBody: Buffer.from(leafData),
    inclusionProof: {
      logIndex: String(proof.index),
      treeSize: String(size),
      rootHash: Buffer.alloc(32),
      hashes: proof.hashes.map((h) => Buffer.from(h)),
      checkpoint: { envelope: proof.checkpoint },
    },
  };
  const authority = {
    logID: keyId,
    baseURL: origin,
    publicKey: createPublicKey(privateKey),
    validFor: { start: new Date(0), end: new Date(8.64e15) },
  };
  return [entry as never, [authority] as never];
}

describe("a proof", () => {
  it("verifies for every leaf with our code and with npm @sigstore/verify", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), async (index) => {
        const proofText = await proofOf(index);
        expect(await verifyProof({ proofText, leafData: dataAt(index), publicKey })).toMatchObject({
          verified: true,
          index,
        });
        expect(() => verifyTLogInclusion(...sigstore(proofText, dataAt(index)))).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it("is refused by both when record, index, path, root, size or signature was changed", async () => {
    const index = 421;
    const proofText = await proofOf(index);
    const { hashes } = parseTlogProof(proofText);
    const flip = (bytes: Uint8Array): Uint8Array => concat(Uint8Array.of((bytes[0] as number) ^ 1), bytes.subarray(1));
    const signature = /\u2014 \S+ (\S+)\n$/.exec(checkpoint)?.[1] as string;
    const signatureBytes = fromBase64(signature) as Uint8Array;
    const badSignature = toBase64(concat(signatureBytes.subarray(0, 4), flip(signatureBytes.subarray(4))));
    const changed: [string, string][] = [
      [proofText, dataAt(422)],
      [proofText, `${dataAt(index)} `],
      [proofText.replace("index 421", "index 422"), dataAt(index)],
      ...hashes.map((hash): [string, string] => [
        proofText.replace(toBase64(hash), toBase64(flip(hash))),
        dataAt(index),
      ]),
      [proofText.replace(`${toBase64(hashes[0] as Uint8Array)}\n`, ""), dataAt(index)],
      [proofText.replace(toBase64(tree.root()), toBase64(flip(tree.root()))), dataAt(index)],
      [proofText.replace(`\n${size}\n`, `\n${size + 1}\n`), dataAt(index)],
      [proofText.replace(signature, badSignature), dataAt(index)],
    ];
    for (const [text, leafData] of changed) {
      expect(await verifyProof({ proofText: text, leafData, publicKey })).toMatchObject({ verified: false });
      expect(() => verifyTLogInclusion(...sigstore(text, leafData))).toThrow();
    }
  });

  it("is refused under another key, and under the key of another log", async () => {
    const proofText = await proofOf(0);
    const other = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    for (const key of [verifierKey(origin, other), verifierKey("aos.example/default/staging", signer.publicKey)]) {
      expect(await verifyProof({ proofText, leafData: dataAt(0), publicKey: key })).toMatchObject({
        verified: false,
        part: "signature",
      });
    }
    expect(await verifyProof({ proofText, leafData: dataAt(0), publicKey: "nonsense" })).toMatchObject({
      verified: false,
      part: "format",
    });
  });

  it("reads as it was written, extra data included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.uint8Array({ minLength: 1, maxLength: 50 }), async (index, extra) => {
        const proof = {
          index,
          hashes: (await inclusionProof(read, index, size)).map((h) => new Uint8Array(h)),
          checkpoint,
          extra,
        };
        expect(parseTlogProof(formatTlogProof(proof))).toEqual(proof);
      }),
      { numRuns: 20 },
    );
  });

  it("of a log with one record has no path", async () => {
    const one = await signCheckpoint({ origin, size: 1, root: leafHash("only") }, signer);
    const proofText = formatTlogProof({ index: 0, hashes: [], checkpoint: one });
    expect(proofText).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 0\n\naos\.example/);
    expect(await verifyProof({ proofText, leafData: "only", publicKey })).toMatchObject({ verified: true });
  });

  it("is refused with a reason when it is not in the format", async () => {
    const good = await proofOf(5);
    const wrong = [
      "",
      "index 0",
      good.replace("@v1", "@v2"),
      good.replace("index 5", "index 05"),
      good.replace("index 5", "extra !\nindex 5"),
      good.replace("\n\n", "\nAAAA\n\n"),
      good.split("\n\n")[0] as string,
    ];
    for (const proofText of wrong) {
      expect(await verifyProof({ proofText, leafData: dataAt(5), publicKey }), proofText.slice(0, 40)).toMatchObject({
        verified: false,
        part: "format",
      });
    }
  });
});

describe("a proof that carries its record", () => {
  const staging = formatVerifierKey(verifierKey("aos.example/default/staging", signer.publicKey));
  const keys = `${staging}\n${formatVerifierKey(publicKey)}\n`;
  const carrying = async (index: number, data = dataAt(index)) =>
    formatTlogProof({ ...parseTlogProof(await proofOf(index)), extra: utf8(data) });

  it("is verified under the key of its log among several, and answers the record", async () => {
    expect(await verifyRecordProof(await carrying(7), keys)).toMatchObject({
      verified: true,
      index: 7,
      record: { id: "aud_7", note: "\u00e4" },
    });
  });

  it.each([
    ["another record is carried", () => carrying(7, dataAt(8)), keys, "inclusion"],
    ["no key is that of its log", () => carrying(7), staging, "signature"],
    ["the keys are none", () => carrying(7), "nonsense", "format"],
    ["it carries none after all", () => proofOf(7), keys, "format"],
  ])("is refused where %s", async (_what, proof, given, part) => {
    expect(await verifyRecordProof(await proof(), given)).toMatchObject({ verified: false, part });
  });
});
