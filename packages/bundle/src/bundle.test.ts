import { describe, expect, it } from "vitest";
import { digestOf } from "./archive.ts";
import { hostileArchives } from "./archives.fixture.ts";
import {
  bytesOf,
  faultOf,
  manifest,
  publisherWith,
  sampleFiles,
  scan,
  sign,
  signAnything,
  signer,
  source,
  statementOf,
} from "./bundle.fixture.ts";
import { type BundleFile, bundleText, signBundle, verifyBundle } from "./bundle.ts";
import { BundleFault } from "./faults.ts";
import { exportPrivateKey, importPrivateKey, makeKey } from "./keys.ts";

/** Whole numbers below a bound, the same on every run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** 1,000 places in `bytes`, each with one bit turned and then with another byte of whatever value. */
function* changed(bytes: Uint8Array, seed: number): Generator<{ at: number; copy: Buffer }> {
  const next = numbers(seed);
  const places = new Set<number>();
  while (places.size < 1_000) places.add(next(bytes.length));
  for (const at of places)
    for (const turned of [1 << next(8), 1 + next(255)]) {
      const copy = Buffer.from(bytes);
      copy[at] = copy[at]! ^ turned;
      yield { at, copy };
    }
}

const isRefused = (input: unknown): boolean => {
  try {
    verifyBundle(input);
    return false;
  } catch (error) {
    if (error instanceof BundleFault) return true;
    throw error;
  }
};

describe("a bundle", () => {
  it("verifies from its text, its bytes and its parsed value", () => {
    const file = sign();
    const text = bundleText(file);
    for (const input of [text, Buffer.from(text), new Uint8Array(Buffer.from(text)), JSON.parse(text)]) {
      const verified = verifyBundle(input);
      expect(verified.manifest).toEqual(manifest);
      expect(verified.publisher).toEqual(file.publisher);
      expect(verified.digest).toBe(digestOf(Buffer.from(file.archive, "base64")));
      expect(verified.statement.predicate.scan).toEqual(scan);
      expect([...verified.files].map(([path, bytes]) => [path, String(bytes)])).toEqual(
        [...sampleFiles()].map(([path, bytes]) => [path, String(bytes)]),
      );
    }
  });

  it("has the statement of the format", () => {
    const file = sign();
    const statement = statementOf(file);
    expect(Object.keys(file)).toEqual(["format", "archive", "envelope", "publisher"]);
    expect(statement).toEqual({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: "invoice-sorter@1.2.0", digest: { sha256: digestOf(Buffer.from(file.archive, "base64")) } }],
      predicateType: "https://aos.example/marketplace-bundle/v1",
      predicate: {
        publisher: {
          publisher_id: file.publisher.publisher_id,
          name: "Example Works",
          key_id: signer.publicKey.key_id,
        },
        kind: "agent",
        name: "invoice-sorter",
        version: "1.2.0",
        files: Object.fromEntries([...sampleFiles()].map(([path, bytes]) => [path, digestOf(bytes)])),
        scorecard: { results: [{ dataset: "invoices", mean: 0.91 }] },
        scan,
        source,
      },
    });
  });

  it("is not signed if it would be refused", () => {
    const parts = { files: sampleFiles(), scan, source, privateKey: signer.privateKey, publisher: sign().publisher };
    expect(faultOf(() => signBundle({ ...parts, privateKey: makeKey().privateKey })).code).toBe("wrong_private_key");
    expect(faultOf(() => signBundle({ ...parts, source: { ...source, created_at: "today" } })).code).toBe(
      "statement_shape",
    );
    expect(faultOf(() => signBundle({ ...parts, files: new Map() })).code).toBe("no_files");
  });
});

describe("a changed byte", () => {
  it("is refused at 1,000 places of the travelling file", { timeout: 120_000 }, () => {
    const { publisher, signingKeys } = publisherWith(4);
    const privateKey = signingKeys[3]!.privateKey;
    const text = Buffer.from(bundleText(signBundle({ files: sampleFiles(), scan, source, privateKey, publisher })));
    expect(isRefused(text)).toBe(false);
    for (const { at, copy } of changed(text, 1)) if (!isRefused(copy)) expect.fail(`byte ${at} may be ${copy[at]}`);
  });

  it("is refused at 1,000 places of the archive", { timeout: 120_000 }, () => {
    const next = numbers(3);
    const noise = Array.from({ length: 4_096 }, () => String.fromCharCode(32 + next(95))).join("");
    const single = sign(sampleFiles({ "noise.txt": noise }));
    const archive = Buffer.from(single.archive, "base64");
    const withArchive = (bytes: Buffer): BundleFile => ({ ...single, archive: bytes.toString("base64") });
    expect(isRefused(withArchive(archive))).toBe(false);
    for (const { at, copy } of changed(archive, 2))
      if (!isRefused(withArchive(copy))) expect.fail(`byte ${at} of the archive may be ${copy[at]}`);
  });
});

describe("the order of checks", () => {
  it("refuses a bomb with another digest by the digest, without unpacking it", () => {
    const bomb = hostileArchives.find(({ name }) => name.startsWith("a gzip bomb"))!.make();
    const file = { ...sign(), archive: Buffer.from(bomb).toString("base64") };
    expect(faultOf(() => verifyBundle(file)).code).toBe("archive_digest");
  });

  // Every stage has a fault; each step heals the first of those that are left.
  it("goes from shape to bundle.json, so that nothing is read that is not yet proven", () => {
    const good = sign(sampleFiles({ "bundle.json": manifest }));
    const files = sampleFiles({ "bundle.json": { ...manifest, version: "9.9.9" } });
    const statement = statementOf(good);
    const inner = statementOf(sign(files));
    const archive = sign(files).archive;
    const refused = (file: object): string => faultOf(() => verifyBundle(file)).code;
    const bad = { ...statement, subject: [{ name: "x" }] };
    const stage = (payload: object, bytes = "garbage!") =>
      signAnything(Buffer.from(bytes, "base64"), JSON.stringify(payload), good);

    const unsigned = {
      ...stage(bad),
      envelope: { ...stage(bad).envelope, payload: bytesOf("no JSON").toString("base64") },
    };
    expect(refused({ ...unsigned, archive: "a b", extra: 1 })).toBe("file_shape");
    expect(refused({ ...unsigned, archive: "a b" })).toBe("base64");
    expect(refused(unsigned)).toBe("signature");
    expect(refused(stage(bad))).toBe("statement_shape");
    expect(refused(stage(statement))).toBe("archive_digest");
    const garbage = Buffer.from("garbage!", "base64");
    const withDigest = (predicate: object, bytes: Buffer) => ({
      ...statement,
      predicate,
      subject: [{ ...statement.subject[0], digest: { sha256: digestOf(bytes) } }],
    });
    expect(refused(stage(withDigest(statement.predicate, garbage)))).toBe("gzip_header");
    const packed = Buffer.from(archive, "base64");
    expect(refused(stage(withDigest(statement.predicate, packed), archive))).toBe("file_digest");
    const named = { ...statement.predicate, files: inner.predicate.files };
    expect(refused(stage(withDigest(named, packed), archive))).toBe("manifest_differs");
  });
});

describe("a travelling file", () => {
  const file = sign();
  const text = bundleText(file);

  it.each([
    ["white space", "file_not_canonical", text.replace(",", ", ")],
    ["a newline at the end", "file_not_canonical", `${text}\n`],
    ["an escape", "file_not_canonical", text.replace("Example Works", "Ex\\u0061mple Works")],
    ["another order", "file_not_canonical", JSON.stringify(Object.fromEntries(Object.entries(file).reverse()))],
    ["a field twice", "file_json", text.replace("{", '{"format":"aos-bundle/1",')],
    ["a byte order mark", "file_json", `\uFEFF${text}`],
    ["half a surrogate pair", "file_json", text.replace("Example Works", "\uD800")],
    ["no JSON", "file_json", "hello"],
    ["more than 8 MiB", "file_too_large", " ".repeat(8 * 1_048_576 + 1)],
  ] as const)("is refused with %s", (_, code, changedText) => {
    expect(changedText).not.toBe(text);
    expect(faultOf(() => verifyBundle(changedText)).code).toBe(code);
  });

  const { envelope, publisher } = file;
  const [key] = publisher.keys;
  it.each<[string, string, string, unknown]>([
    ["no object", "file_shape", "", null],
    ["a list", "file_shape", "", [file]],
    ["an unknown field", "file_shape", "/note", { ...file, note: 1 }],
    ["another format", "file_shape", "/format", { ...file, format: "aos-bundle/2" }],
    ["an archive that is no text", "file_shape", "/archive", { ...file, archive: { length: 1 } }],
    ["an archive of 5 MiB", "file_shape", "/archive", { ...file, archive: "AAAA".repeat(1_747_626) }],
    ["no signature", "file_shape", "/envelope/signatures", { ...file, envelope: { ...envelope, signatures: [] } }],
    [
      "two signatures",
      "file_shape",
      "/envelope/signatures",
      { ...file, envelope: { ...envelope, signatures: [envelope.signatures[0], envelope.signatures[0]] } },
    ],
    [
      "another payload type",
      "file_shape",
      "/envelope/payloadType",
      { ...file, envelope: { ...envelope, payloadType: "text/plain" } },
    ],
    ["an inherited field", "file_shape", "", Object.create(file)],
    [
      "base64 without padding",
      "base64",
      "/envelope/signatures/0/sig",
      {
        ...file,
        envelope: {
          ...envelope,
          signatures: [{ ...envelope.signatures[0], sig: envelope.signatures[0]!.sig.replace(/=+$/, "") }],
        },
      },
    ],
    ["base64 of URLs", "base64", "/archive", { ...file, archive: "_-__" }],
    ["base64 with loose bits", "base64", "/archive", { ...file, archive: "AB==" }],
    ["no key", "file_shape", "/publisher/keys", { ...file, publisher: { ...publisher, keys: [] } }],
    [
      "an invisible character in the name",
      "file_shape",
      "/publisher/name",
      { ...file, publisher: { ...publisher, name: "Example\u200b Works" } },
    ],
    [
      "a name other than in the statement",
      "publisher_differs",
      "/predicate/publisher/name",
      { ...file, publisher: { ...publisher, name: "Other Works" } },
    ],
    [
      "another key with this id",
      "key_id",
      "/publisher/keys/0",
      { ...file, publisher: { ...publisher, keys: [{ ...key, public_key: makeKey().publicKey.public_key }] } },
    ],
    [
      "a key of another kind",
      "key_form",
      "/publisher/keys/0",
      { ...file, publisher: { ...publisher, keys: [{ ...key, public_key: "AAAA" }] } },
    ],
    [
      "another key",
      "signer",
      "/envelope/signatures/0/keyid",
      { ...file, publisher: { ...publisher, keys: [makeKey().publicKey] } },
    ],
  ])("that was parsed is refused with %s", (_, code, at, value) => {
    expect(faultOf(() => verifyBundle(value))).toMatchObject({ code, place: { at } });
  });

  it("is refused with a statement of a genuine key that breaks the format", () => {
    const archive = Buffer.from(file.archive, "base64");
    const statement = statementOf(file);
    const refused = (payload: string) => faultOf(() => verifyBundle(signAnything(archive, payload, file))).code;
    expect(refused("{")).toBe("statement_json");
    expect(refused(`{"_type":1,${JSON.stringify(statement).slice(1)}`)).toBe("statement_json");
    expect(refused(JSON.stringify({ ...statement, extra: 1 }))).toBe("statement_shape");
    expect(refused(JSON.stringify({ ...statement, predicateType: "https://slsa.dev/provenance/v1" }))).toBe(
      "statement_shape",
    );
    expect(refused(JSON.stringify({ ...statement, subject: [{ ...statement.subject[0], name: "x@1.0.0" }] }))).toBe(
      "statement_subject",
    );
  });
});

describe("a fault", () => {
  it("says what is wrong, the rule and what to do", () => {
    const fault = faultOf(() => verifyBundle({ ...sign(), archive: "AAAA" }));
    expect(fault.message).toBe(
      [
        `The archive has the SHA-256 ${digestOf(Buffer.alloc(3))}.`,
        "The archive must have the SHA-256 that the statement names.",
        "Ask the publisher for a fresh copy of the bundle.",
      ].join(" "),
    );
    expect(fault.place).toEqual({ part: "file", at: "/archive" });
  });
});

it("reads a private key back from its text, and nothing else", () => {
  const key = makeKey();
  const text = exportPrivateKey(key.privateKey);
  expect(importPrivateKey(text).publicKey).toEqual(key.publicKey);
  expect(faultOf(() => importPrivateKey(key.publicKey.public_key)).code).toBe("key_form");
  expect(faultOf(() => importPrivateKey(`${text}\n`)).code).toBe("base64");
});
