import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBase64, utf8 } from "./bytes.ts";
import { formatExportLine } from "./export-format.ts";
import {
  type ExportManifest,
  formatManifest,
  openManifest,
  parseManifestText,
  readManifestUnverified,
} from "./manifest.ts";
import { type ManifestReport, verifyManifest } from "./manifest-verify.ts";
import { leafHash } from "./merkle.ts";
import { type Ed25519Signer, FormatError, formatVerifierKey, signNote, verifierKey } from "./note.ts";
import { sha256Stream } from "./platform/sha256.node.ts";
import { sha256Stream as sha256StreamInBrowser } from "./platform/sha256.web.ts";
import { type AuditRecord, buildRecordBody } from "./record.ts";
import { createTree } from "./tiles.ts";

const newSigner = (): Ed25519Signer => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url")),
    sign: (message) => sign(null, message, privateKey),
  };
};
const signer = newSigner();
const origin = "aos.example/default/production";
const key = verifierKey(origin, signer.publicKey);

function recordAt(i: number, members: Partial<AuditRecord> = {}): string {
  return buildRecordBody({
    address: null,
    approval_id: null,
    code: null,
    environment: "production",
    id: `aud_01jd${String(i).padStart(22, "0")}`,
    key_id: i % 3 === 0 ? null : `key_${i % 3}`,
    key_seq: i % 3 === 0 ? null : Math.floor(i / 3) + 1,
    object: null,
    operation: "tasks.readTask",
    organization: "default",
    outcome: "allowed",
    principal: "mbr_1",
    request: null,
    request_id: `req_${i}`,
    response: null,
    stages: [],
    status: 200,
    task_id: null,
    time: "2026-05-03T09:00:00.000Z",
    trust_score: null,
    version: 1,
    ...members,
  });
}

const size = 40;
const log = Array.from({ length: size }, (_, i) => recordAt(i));
const rootOf = (texts: readonly string[]): string => {
  const tree = createTree();
  for (const text of texts) tree.append(leafHash(text));
  return toBase64(tree.root());
};
const lineOf = (index: number, record = log[index] as string): string =>
  `${formatExportLine({ kind: "leaf", index, record })}\n`;
const hexOf = (bytes: Uint8Array): string => {
  const stream = sha256Stream();
  stream.update(bytes);
  return stream.hex();
};

/** What the service signs for a file: true unless `members` say otherwise. */
async function signed(
  file: string,
  members: Partial<ExportManifest> = {},
  by = { name: origin, signer },
): Promise<string> {
  const bytes = utf8(file);
  const manifest: ExportManifest = {
    export: "exp_1",
    format: "jsonl",
    schema_version: "aos-audit-record v1",
    filter: {},
    rows: size,
    bytes: bytes.length,
    sha256: hexOf(bytes),
    origin,
    tree_size: size,
    root: rootOf(log),
    ...members,
  };
  return signNote(formatManifest(manifest), by.name, by.signer);
}

const verify = (note: string, file: string, by = key): Promise<ManifestReport> =>
  verifyManifest(note, by, [utf8(file)]);
const kinds = ({ findings }: ManifestReport): string[] => findings.map(({ kind }) => kind);

const whole = log.map((_, index) => lineOf(index)).join("");
const wholeNote = await signed(whole);
const some = [3, 7, 8, 21];
const filtered = some.map((index) => lineOf(index)).join("");
const filteredNote = await signed(filtered, { rows: some.length, filter: { actor: "mbr_1", decision: ["allowed"] } });
const csv = `leaf_index,object\r\n0,"a ""quoted"" cell\r\nof two lines"\r\n1,plain\r\n`;
const one = { filter: { actor: "mbr_1" } };
const csvNote = await signed(csv, { ...one, format: "csv", rows: 2, schema_version: "aos-audit-csv v1" });
const ocsf = `{"class_uid":6003}\n{"class_uid":6003}\n{"class_uid":6003}\n`;
const ocsfNote = await signed(ocsf, { ...one, format: "ocsf", rows: 3, schema_version: "1.3.0" });
const files = {
  whole: [whole, wholeNote],
  filtered: [filtered, filteredNote],
  csv: [csv, csvNote],
  ocsf: [ocsf, ocsfNote],
} as const;

describe("verification of an export by its manifest of version 1", () => {
  it("accepts each format as it was signed, in chunks of any size, and says how deep it looked", async () => {
    expect(await verify(wholeNote, whole)).toMatchObject({ verified: true, rows: size, records: "root", findings: [] });
    expect(await verify(filteredNote, filtered)).toMatchObject({
      verified: true,
      rows: some.length,
      records: "checked",
    });
    expect(await verify(csvNote, csv)).toMatchObject({
      verified: true,
      rows: 2,
      records: "unchecked",
      bytes: csv.length,
    });
    expect(await verify(ocsfNote, ocsf)).toMatchObject({
      verified: true,
      rows: 3,
      records: "unchecked",
      sha256: hexOf(utf8(ocsf)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(files)),
        fc.integer({ min: 1, max: 300 }),
        async ([file, note], step) => {
          const bytes = utf8(file);
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
          expect((await verifyManifest(note, formatVerifierKey(key), chunks)).findings).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("accepts an export of nothing, in every format", async () => {
    const empty = { rows: 0, filter: { task: "tsk_1" } };
    expect(await verify(await signed("", empty), "")).toMatchObject({ verified: true, rows: 0 });
    expect(await verify(await signed("", { ...empty, format: "ocsf" }), "")).toMatchObject({ verified: true, rows: 0 });
    expect(await verify(await signed("a,b\r\n", { ...empty, format: "csv" }), "a,b\r\n")).toMatchObject({
      verified: true,
      rows: 0,
    });
    const ofAnEmptyLog = await signed("", { rows: 0, tree_size: 0, root: rootOf([]) });
    expect(await verify(ofAnEmptyLog, "")).toMatchObject({ verified: true, records: "root" });
  });

  it("finds any changed byte, wherever it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(files)),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async ([file, note], at, by) => {
          const bytes = utf8(file).slice();
          bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ by;
          expect((await verifyManifest(note, key, [bytes])).verified).toBe(false);
        },
      ),
    );
  });

  it("finds a dropped row, an added row, and a cut file, and says which it was", async () => {
    const lines = whole.split(/(?<=\n)/);
    expect(kinds(await verify(wholeNote, lines.toSpliced(5, 1).join("")))).toEqual([
      "key_sequence",
      "root",
      "changed",
      "deleted",
    ]);
    expect(kinds(await verify(filteredNote, filtered + lineOf(30)))).toEqual(["changed", "inserted"]);
    expect(kinds(await verify(csvNote, csv.slice(0, -9)))).toEqual(["changed", "deleted"]);
    expect(kinds(await verify(ocsfNote, `${ocsf}{"class_uid":6003}\n`))).toEqual(["changed", "inserted"]);
    const cut = await verify(ocsfNote, ocsf.slice(0, -1));
    expect(cut.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`it has ${ocsf.length - 1} bytes, the manifest signs ${ocsf.length}`),
    ]);
  });

  it("finds in JSONL the line of a record that is changed, out of order, beyond the log's head or of another log", async () => {
    const at = async (file: string, members: Partial<ExportManifest> = {}) => {
      const report = await verify(await signed(file, { rows: 4, filter: { actor: "mbr_1" }, ...members }), file);
      return report.findings.map(({ kind, line, leafIndex }) => [kind, line, leafIndex]);
    };
    expect(await at(lineOf(3) + lineOf(8) + lineOf(7) + lineOf(21))).toEqual([["reordered", 3, 7]]);
    expect(await at(lineOf(3) + lineOf(7) + lineOf(7) + lineOf(21))).toEqual([["reordered", 3, 7]]);
    expect(await at(filtered, { tree_size: 21 })).toEqual([["inserted", 4, 21]]);
    expect(await at(lineOf(3) + lineOf(7, recordAt(7, { environment: "staging" })) + lineOf(8) + lineOf(21))).toEqual([
      ["other_log", 2, 7],
    ]);
    expect(await at(lineOf(3) + lineOf(7, `${log[7]} `) + lineOf(8) + lineOf(21))).toEqual([["not_canonical", 2, 7]]);
    expect(await at(`${lineOf(3)}{"leaf_index":7}\n${lineOf(8)}${lineOf(21)}`)).toEqual([["format", 2, null]]);
    expect(await at(`${lineOf(3)}\n${lineOf(8)}${lineOf(21)}`)).toEqual([["format", 2, null]]);
  });

  it("does not believe a service that signs records which its log does not hold", async () => {
    const forged = log
      .map((text, index) => lineOf(index, index === 9 ? recordAt(9, { outcome: "failed" }) : text))
      .join("");
    expect(kinds(await verify(await signed(forged), forged))).toEqual(["root"]);
    const gap = log.map((text, index) => lineOf(index, index === 10 ? recordAt(10, { key_seq: 5 }) : text)).join("");
    expect(kinds(await verify(await signed(gap), gap))).toContain("key_sequence");
  });

  it("does not believe a manifest whose counts are not those of its own file", async () => {
    const report = await verify(await signed(csv, { ...one, format: "csv", rows: 3 }), csv);
    expect(report.findings).toEqual([
      expect.objectContaining({ kind: "format", message: expect.stringContaining("it counts 3 rows") }),
    ]);
  });

  it("refuses a manifest of another key, of another log and one that was changed, and looks at nothing else", async () => {
    const stranger = newSigner();
    const foreign = await signed(whole, {}, { name: origin, signer: stranger });
    const otherLog = await signed(whole, { origin: "aos.example/default/staging" });
    const changed = wholeNote.replace('"rows":40', '"rows":41');
    for (const [note, says] of [
      [foreign, "not signed by the key"],
      [otherLog, "the manifest is of the log aos.example/default/staging"],
      [changed, "does not fit the text"],
    ] as const) {
      const report = await verify(note, whole);
      expect(report).toMatchObject({ verified: false, manifest: null, rows: null, sha256: null });
      expect(report.findings).toEqual([
        expect.objectContaining({ kind: "signature", message: expect.stringContaining(says) }),
      ]);
    }
    expect((await verify(foreign, whole, verifierKey(origin, stranger.publicKey))).verified).toBe(true);
    await expect(verifyManifest(wholeNote, "no+key", [])).rejects.toThrow(FormatError);
  });

  it("says of JSONL that is no UTF-8 that it is none, and measures nothing that it did not read", async () => {
    const bytes = utf8(whole).slice();
    bytes[50] = 0xff;
    const report = await verifyManifest(wholeNote, key, [bytes]);
    expect(report).toMatchObject({ verified: false, rows: null, bytes: null, sha256: null, records: "unchecked" });
    expect(report.findings).toEqual([
      expect.objectContaining({ kind: "format", message: "the file is not UTF-8 text" }),
    ]);
  });
});

describe("the text of a manifest", () => {
  it("reads back what was written", async () => {
    const manifest = readManifestUnverified(filteredNote);
    expect(manifest).toMatchObject({
      export: "exp_1",
      filter: { actor: "mbr_1", decision: ["allowed"] },
      origin,
      tree_size: size,
    });
    expect(await openManifest(filteredNote, key)).toEqual(manifest);
    expect(parseManifestText(formatManifest(manifest))).toEqual(manifest);
    expect(filteredNote.split("\n").slice(0, 2)).toEqual([
      "aos-audit-export v1",
      expect.stringMatching(/^\{"bytes":\d+,"export":"exp_1","filter":/),
    ]);
  });

  it("is refused where a member is missing, unknown or of another kind, or the form is another", () => {
    const manifest = readManifestUnverified(wholeNote);
    const json = (members: object): string => formatManifest({ ...manifest, ...members });
    for (const text of [
      json({ rows: -1 }),
      json({ rows: "4" }),
      json({ sha256: "ab" }),
      json({ root: "AAAA" }),
      json({ format: "xml" }),
      json({ filter: [] }),
      json({ export: "" }),
      json({ more: 1 }),
      json({ origin: undefined }),
      json({}).replace("v1", "v2"),
      json({}).replace("v1", "v3"),
      json({ skipped: "" }),
      json({ without_record: [] }),
      json({}).replace('"bytes"', ' "bytes"'),
      `${json({})}\n`,
      json({}).slice(0, -1),
      "aos-audit-export v1\n[]\n",
      "aos-audit-export v2\n{\n",
    ]) {
      expect(() => parseManifestText(text), text).toThrow(FormatError);
    }
  });
});

describe("a hash of bytes that come in pieces", () => {
  it("is the same in browsers as in Node, however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 }), (pieces) => {
        const [ours, theirs] = [sha256StreamInBrowser(), sha256Stream()];
        for (const piece of pieces) {
          ours.update(piece);
          theirs.update(piece);
        }
        expect(ours.hex()).toBe(theirs.hex());
      }),
    );
  });
});
