import type { Fault } from "./fault.ts";

// Marketplace bundles: nothing is read that is not yet proven, and one bundle has one spelling.

const source = "packages/bundle/src";
const bundleTest = `${source}/bundle.test.ts`;
const archiveTest = `${source}/archive.test.ts`;
const publisherTest = `${source}/publisher.test.ts`;

export const bundleFaults: readonly Fault[] = [
  {
    name: "bundle-signature-unchecked",
    file: `${source}/bundle.ts`,
    find: "if (!isSignedBy(envelope, publicKeys.at(-1)!))",
    replace: "if (envelope.signature.length !== 64)",
    tests: [bundleTest],
  },
  {
    name: "bundle-archive-digest-unchecked",
    file: `${source}/bundle.ts`,
    find: "if (digest !== statement.subject[0]!.digest.sha256)",
    replace: "if (digest.length !== 64)",
    tests: [bundleTest],
  },
  {
    name: "bundle-publisher-name-unsigned",
    file: `${source}/bundle.ts`,
    find: '["publisher_id", "name", "key_id"]',
    replace: '["publisher_id", "key_id"]',
    tests: [bundleTest],
  },
  {
    name: "bundle-text-spelled-freely",
    file: `${source}/bundle.ts`,
    find: 'if (!Buffer.from(JSON.stringify(file), "utf8").equals(bytes))',
    replace: "if (bytes.length === 0)",
    tests: [bundleTest],
  },
  {
    name: "bundle-base64-spelled-freely",
    file: `${source}/base64.ts`,
    find: 'if (bytes.toString("base64") !== text)',
    replace: "if (text.length === 0)",
    tests: [bundleTest],
  },
  {
    name: "bundle-key-id-unchecked",
    file: `${source}/keys.ts`,
    find: "if (actual !== key_id)",
    replace: "if (actual.length !== key_id.length)",
    tests: [bundleTest],
  },
  {
    name: "bundle-unpacked-without-bound",
    file: `${source}/gzip.ts`,
    find: "maxOutputLength: most",
    replace: "maxOutputLength: 512 << 20",
    tests: [archiveTest],
    only: "no more memory",
  },
  {
    name: "bundle-second-gzip-member-ignored",
    file: `${source}/gzip.ts`,
    find: "if (rest.length === 0) return contents;",
    replace: "if (rest.length >= 0) return contents;",
    tests: [archiveTest],
  },
  {
    name: "bundle-duplicate-path-accepted",
    file: `${source}/tar.ts`,
    find: "if (files.has(path)) throw",
    replace: "if (files.size > 500) throw",
    tests: [archiveTest],
  },
  {
    name: "bundle-tar-spelled-freely",
    file: `${source}/tar.ts`,
    find: "if (!writeTar(files, limits).equals(tar)) throw",
    replace: "if (tar.length === 0) throw",
    tests: [archiveTest],
  },
  {
    name: "bundle-file-digest-unchecked",
    file: `${source}/statement.ts`,
    find: "if (digestOf(contents) !== digest) throw",
    replace: "if (digest.length !== 64) throw",
    tests: [archiveTest],
  },
  {
    name: "bundle-scorecard-unsigned",
    file: `${source}/statement.ts`,
    find: "if (canonicalJson(readScorecard(files)) !== canonicalJson(predicate.scorecard))",
    replace: "if (files.size === 0)",
    tests: [archiveTest],
  },
  {
    name: "bundle-rotation-unsigned",
    file: `${source}/publisher.ts`,
    find: " || !isSignedBy(rotation, publicKeys[index]!)",
    replace: "",
    tests: [publisherTest],
  },
  {
    name: "bundle-former-key-stays-trusted",
    file: `${source}/publisher.ts`,
    find: "return { key_id: ids.at(-1)!, chain",
    replace: "return { key_id: pinnedKeyId, chain",
    tests: [publisherTest],
  },
];
