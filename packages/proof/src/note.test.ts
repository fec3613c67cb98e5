import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, fromHex, toBase64, toHex, utf8 } from "./bytes.ts";
import { formatCheckpoint, openCheckpoint, parseCheckpointText, signCheckpoint } from "./checkpoint.ts";
import { leafHash } from "./merkle.ts";
import {
  type Ed25519Signer,
  FormatError,
  formatVerifierKey,
  openNote,
  parseNote,
  parseVerifierKey,
  signNote,
  verifierKey,
} from "./note.ts";
import { verifyEd25519 as verifyInBrowser } from "./platform/ed25519.web.ts";
import { sha256 } from "./platform/sha256.node.ts";
import { sha256Hex as sha256HexInBrowser, sha256 as sha256InBrowser } from "./platform/sha256.web.ts";

function newSigner(): Ed25519Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url");
  return { publicKey: new Uint8Array(raw), sign: (message) => sign(null, message, privateKey) };
}

const signer = newSigner();
const origin = "aos.example/default/production";
const key = verifierKey(origin, signer.publicKey);

describe("a signed note", () => {
  it("verifies the example of the specification (C2SP signed-note) and refuses it changed", async () => {
    const vkey = parseVerifierKey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
    const note =
      "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
    expect(await openNote(note, vkey)).toBe("This is an example message.\n");
    await expect(openNote(note.replace("example message", "Example message"), vkey)).rejects.toThrow(
      "does not fit the text",
    );
    expect(formatVerifierKey(vkey)).toBe("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
  });

  it("comes back from signing as it went in, empty lines included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (raw) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters cannot stand in a note
        const text = `${raw.replace(/[\u0000-\u0009\u000b-\u001f]/g, "").toWellFormed()}\n\nlast\n`;
        const note = await signNote(text, origin, signer);
        expect(await openNote(note, key)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused when no signature is of the trusted key, and names those there are", async () => {
    const note = await signNote("text\n", "elsewhere", signer);
    await expect(openNote(note, key)).rejects.toThrow("the signatures are of elsewhere+");
    const other = verifierKey(origin, newSigner().publicKey);
    await expect(openNote(await signNote("text\n", origin, signer), other)).rejects.toThrow("not signed by the key");
  });

  it("accepts further signatures of keys it does not know", async () => {
    const note = await signNote("text\n", origin, signer);
    const second = (await signNote("text\n", "witness", newSigner())).split("\n\n")[1];
    expect(await openNote(`${note}${second}`, key)).toBe("text\n");
  });

  it("is refused with a reason when it is not in the format", () => {
    const wrong = [
      "",
      "text\n",
      "text\n\n",
      "text\n\nno dash\n",
      "text\n\n\u2014 name !!!!\n",
      "text\n\n\u2014 name AAAA\n",
      "a\u0001\n\n\u2014 n AAAAAAAA\n",
    ];
    for (const note of wrong) expect(() => parseNote(note), JSON.stringify(note)).toThrow(FormatError);
  });

  it("has verifier keys in which a changed character is noticed", () => {
    const text = formatVerifierKey(key);
    expect(parseVerifierKey(text)).toEqual(key);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom("a", "b", "+", "=", "Z", "7"), (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        if (changed !== text) expect(() => parseVerifierKey(changed)).toThrow(FormatError);
      }),
    );
    for (const name of ["", "a b", "a+b", "a\nb", "a\u00a0b"])
      expect(() => verifierKey(name, signer.publicKey)).toThrow(FormatError);
  });
});

describe("a checkpoint", () => {
  const checkpoint = { origin, size: 20_852_163, root: new Uint8Array(leafHash("root")) };

  it("reads as it was written and signed", async () => {
    expect(parseCheckpointText(formatCheckpoint(checkpoint))).toEqual(checkpoint);
    expect(await openCheckpoint(await signCheckpoint(checkpoint, signer), key)).toEqual(checkpoint);
  });

  it("of another log is refused, although the same key pair signed it", async () => {
    const other = await signNote(
      formatCheckpoint({ ...checkpoint, origin: "aos.example/default/staging" }),
      origin,
      signer,
    );
    await expect(openCheckpoint(other, key)).rejects.toThrow("is of the log aos.example/default/staging");
  });

  it("with a malformed line is refused", () => {
    const root = toBase64(checkpoint.root);
    for (const text of [
      "",
      "a\n1\n",
      `a\n01\n${root}\n`,
      `a\n-1\n${root}\n`,
      `a\n1\n${root}`,
      `\n1\n${root}\n`,
      "a\n1\nAAAA\n",
      `a\n1\n${root}\n\nx\n`,
    ]) {
      expect(() => parseCheckpointText(text), JSON.stringify(text)).toThrow(FormatError);
    }
    expect(parseCheckpointText(`a\n1\n${root}\nextension\n`).size).toBe(1);
  });
});

describe("what browsers run", () => {
  it("hashes like Node", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (data) => void expect(toHex(sha256InBrowser(data))).toBe(toHex(sha256(data))),
      ),
    );
    for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 1_000_003]) {
      const data = new Uint8Array(length).fill(0x61);
      expect(toHex(sha256InBrowser(data))).toBe(toHex(sha256(data)));
    }
    expect(sha256HexInBrowser(utf8("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(toHex(sha256InBrowser("\u00fc\u{1f600}"))).toBe(toHex(sha256("\u00fc\u{1f600}")));
  });

  it("verifies Ed25519 signatures like Node", async () => {
    const message = utf8("message");
    const signature = new Uint8Array(await signer.sign(message));
    expect(await verifyInBrowser(signer.publicKey, message, signature)).toBe(true);
    expect(await verifyInBrowser(signer.publicKey, utf8("massage"), signature)).toBe(false);
    expect(await verifyInBrowser(signer.publicKey, message, signature.slice(1))).toBe(false);
  });
});

describe("encodings", () => {
  it("read back what they wrote and nothing else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(fromHex(toHex(bytes))).toEqual(bytes);
      }),
    );
    for (const text of ["A", "AA", "AAA", "AB==", "AAB=", "AA-_", "AAAA\n", "AA==AAAA"])
      expect(fromBase64(text), text).toBeUndefined();
    for (const text of ["a", "AA", "0g"]) expect(fromHex(text), text).toBeUndefined();
  });
});
