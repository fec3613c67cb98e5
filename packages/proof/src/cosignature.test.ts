import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./bytes.ts";
import { openCheckpoint, signCheckpoint } from "./checkpoint.ts";
import {
  type CosignerKey,
  cosignedMessage,
  cosignerKey,
  formatCosignerKey,
  openCosignature,
  parseCosignerKey,
} from "./cosignature.ts";
import { FormatError, parseNote, verifierKey } from "./note.ts";

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url"));
  return { publicKey: raw, sign: (message: Uint8Array) => sign(null, message, privateKey) };
}
const log = keyPair();
const witness = keyPair();
const key = cosignerKey("witness.example/w1", witness.publicKey);
const checkpoint = await signCheckpoint(
  { origin: "aos.example/default/production", size: 7, root: new Uint8Array(32).fill(9) },
  log,
);

/** A signature line as the specification lays it out: key id, time in 8 bytes, signature. */
function cosign(note: string, time: bigint, by: CosignerKey = key, signer = witness): string {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(time);
  const signature = signer.sign(cosignedMessage(parseNote(note).text, Number(time)));
  return `\u2014 ${by.name} ${toBase64(Buffer.concat([by.id, stamp, signature]))}\n`;
}

describe("the key of a witness", () => {
  it("is read as it is written, and refused with another type, id or name", () => {
    const text = formatCosignerKey(key);
    expect(parseCosignerKey(text)).toEqual(key);
    expect(() => parseCosignerKey(text.replace("w1", "w2"))).toThrow("key id");
    const asLogKey = `x+00000000+${toBase64(Buffer.concat([Buffer.of(1), witness.publicKey]))}`;
    expect(() => parseCosignerKey(asLogKey)).toThrow("type 4");
    expect(() => parseCosignerKey("x")).toThrow("a witness's key reads");
  });

  it("is followed in a line by time and signature, as in the example of the specification", () => {
    // The line of witness.example.com/w1 in C2SP tlog-cosignature, section Format.
    const line = fromBase64(
      "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==",
    );
    expect(line?.length).toBe(4 + 8 + 64);
    expect(Buffer.from(line as Uint8Array).readBigUInt64BE(4)).toBe(1679315147n); // the time of its signed message
  });
});

describe("a cosigned checkpoint", () => {
  it("verifies for log and witness, whatever other lines stand beside theirs", async () => {
    const other = keyPair();
    const stranger = cosign(checkpoint, 5n, cosignerKey("witness.example/other", other.publicKey), other);
    const note = checkpoint + stranger + cosign(checkpoint, 1_700_000_000n);
    expect(await openCosignature(note, key)).toEqual({
      timestamp: 1_700_000_000,
      line: cosign(checkpoint, 1_700_000_000n),
    });
    expect((await openCheckpoint(note, verifierKey("aos.example/default/production", log.publicKey))).size).toBe(7);
  });

  it("is as of the newest time where a witness cosigned it twice", async () => {
    const note = checkpoint + cosign(checkpoint, 20n) + cosign(checkpoint, 10n);
    expect((await openCosignature(note, key)).timestamp).toBe(20);
  });

  it("is refused without a line of the witness, with one of another checkpoint, and without a time", async () => {
    const other = await signCheckpoint(
      { origin: "aos.example/default/production", size: 8, root: new Uint8Array(32) },
      log,
    );
    await expect(openCosignature(checkpoint, key)).rejects.toThrow("not cosigned by the witness witness.example/w1");
    await expect(openCosignature(checkpoint + cosign(other, 10n), key)).rejects.toThrow("does not fit");
    await expect(openCosignature(checkpoint + cosign(checkpoint, 0n), key)).rejects.toThrow("does not fit");
  });

  it("is refused with any bit of the cosignature changed", async () => {
    const [, name, encoded] = cosign(checkpoint, 1_700_000_000n).trim().split(" ");
    const bytes = fromBase64(encoded as string) as Uint8Array;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), async (bit) => {
        const changed = Uint8Array.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        await expect(openCosignature(`${checkpoint}\u2014 ${name} ${toBase64(changed)}\n`, key)).rejects.toThrow(
          FormatError,
        );
      }),
    );
  });
});
