import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, utf8 } from "./bytes.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { type ExportLine, formatExportHeader, formatExportLine } from "./export-format.ts";
import { leafHash } from "./merkle.ts";
import { type Ed25519Signer, formatVerifierKey, verifierKey } from "./note.ts";
import { type AuditRecord, buildRecordBody } from "./record.ts";
import { createTree, tileWidth } from "./tiles.ts";
import { type ExportReport, type VerifyExportOptions, verifyExport } from "./verify-export.ts";

const { privateKey, publicKey: publicKeyObject } = generateKeyPairSync("ed25519");
const signer: Ed25519Signer = {
  publicKey: new Uint8Array(Buffer.from(publicKeyObject.export({ format: "jwk" }).x as string, "base64url")),
  sign: (message) => sign(null, message, privateKey),
};
const origin = "aos.example/default/production";
const publicKey = verifierKey(origin, signer.publicKey);

function recordAt(i: number): AuditRecord {
  const id = `aud_01jd${String(i).padStart(22, "0")}`;
  const keyed = i % 3 !== 0;
  return {
    address: null,
    approval_id: null,
    code: null,
    environment: "production",
    id,
    key_id: keyed ? `key_${i % 3}` : null,
    key_seq: keyed ? Math.floor(i / 3) + 1 : null,
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
  };
}

const size = 700;
const bodies = Array.from({ length: size }, (_, i) => buildRecordBody(recordAt(i)));
const rootOf = (texts: readonly string[]): Uint8Array => {
  const tree = createTree();
  for (const text of texts) tree.append(leafHash(text));
  return tree.root();
};
const checkpoint = await signCheckpoint({ origin, size, root: rootOf(bodies) }, signer);
const header = formatExportHeader({ origin, public_key: formatVerifierKey(publicKey), checkpoint });

/** The honest export: leaves, each tile line (if wanted) before its leaves. */
const honest = (tiles: boolean): ExportLine[] => [...(tiles ? withTiles : withoutTiles)];
const withTiles = build(true);
const withoutTiles = build(false);

function build(tiles: boolean): readonly ExportLine[] {
  const lines: ExportLine[] = [];
  for (const [index, record] of bodies.entries()) {
    if (tiles && index % tileWidth === 0) {
      lines.push({
        kind: "tile",
        index: index / tileWidth,
        hashes: concat(...bodies.slice(index, index + tileWidth).map((b) => leafHash(b))),
      });
    }
    lines.push({ kind: "leaf", index, record });
  }
  return lines;
}

function verifyLines(
  lines: readonly ExportLine[],
  options: VerifyExportOptions = { publicKey },
): Promise<ExportReport> {
  return verifyExport([utf8(`${[header, ...lines.map(formatExportLine)].join("\n")}\n`)], options);
}

const leafAt = (lines: readonly ExportLine[], index: number): number =>
  lines.findIndex((l) => l.kind === "leaf" && l.index === index);
/** Gives the leaves the indices that their places suggest, as a careful forger would. */
const renumbered = (lines: readonly ExportLine[]): ExportLine[] => {
  let next = 0;
  return lines.map((l) => (l.kind === "tile" ? l : { ...l, index: next++ }));
};
const kinds = (report: ExportReport): string[] =>
  report.findings.filter((f) => f.kind !== "root" && f.kind !== "key_sequence").map((f) => `${f.kind} ${f.leafIndex}`);

describe("verification of a whole export", () => {
  it("accepts what the log exported, with and without its hash list, in chunks of any size", async () => {
    for (const tiles of [true, false]) {
      const report = await verifyLines(honest(tiles));
      expect(report).toMatchObject({
        verified: true,
        leaves: size,
        signedSize: size,
        pinpointed: tiles,
        findings: [],
        keyFrom: "caller",
      });
    }
    const bytes = utf8([header, ...honest(true).map(formatExportLine)].join("\n"));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5_000 }), async (step) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
        expect((await verifyExport(chunks, { publicKey })).verified).toBe(true);
      }),
      { numRuns: 4 },
    );
  });

  it("says when the key is only the file's own", async () => {
    expect(await verifyLines(honest(false), {})).toMatchObject({ verified: true, keyFrom: "file" });
  });

  it("reports progress", async () => {
    const seen: [number, number][] = [];
    await verifyLines(honest(false), { publicKey, onProgress: (done, total) => void seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([size, size]);
  });

  it("names the record that was changed, whichever it is and whatever was changed in it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(size - 1),
        fc.constantFrom<Partial<AuditRecord>>({ outcome: "refused" }, { principal: "mbr_2" }, { status: 403 }),
        async (i, change) => {
          const lines = honest(true);
          lines[leafAt(lines, i)] = { kind: "leaf", index: i, record: buildRecordBody({ ...recordAt(i), ...change }) };
          const report = await verifyLines(lines);
          expect(report).toMatchObject({ verified: false, pinpointed: true });
          expect(kinds(report)).toEqual([`changed ${i}`]);
        },
      ),
      { numRuns: 10 },
    );
  });

  it("names the record that was deleted, also if the others were renumbered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(tileWidth - 1), fc.nat(1), async (offset, renumber) => {
        const i = 2 * tileWidth + (offset % (size - 2 * tileWidth));
        const lines = honest(true).filter((l) => !(l.kind === "leaf" && l.index === i));
        expect(kinds(await verifyLines(renumber ? renumbered(lines) : lines))).toEqual([`deleted ${i}`]);
      }),
      { numRuns: 10 },
    );
  });

  it("reports a deletion in an early tile once, although all later leaves were renumbered", async () => {
    const lines = renumbered(honest(true).filter((l) => !(l.kind === "leaf" && l.index === 10)));
    expect(kinds(await verifyLines(lines))).toEqual(["deleted 10"]);
  });

  it("names the records that were exchanged, and no other, within a tile and across tiles", async () => {
    const far = fc.tuple(fc.nat(size - 1), fc.nat(size - 1));
    const near = fc
      .tuple(fc.nat(size - 5), fc.integer({ min: 1, max: 4 }))
      .map(([i, distance]): [number, number] => [i, i + distance]);
    await fc.assert(
      fc.asyncProperty(fc.oneof(far, near), fc.boolean(), async ([i, j], renumber) => {
        fc.pre(i !== j);
        const lines = honest(true);
        const [a, b] = [leafAt(lines, i), leafAt(lines, j)];
        [lines[a], lines[b]] = [lines[b] as ExportLine, lines[a] as ExportLine];
        const report = await verifyLines(renumber ? renumbered(lines) : lines);
        expect(report.verified).toBe(false);
        const named = report.findings.filter((f) => ["reordered", "changed"].includes(f.kind)).map((f) => f.leafIndex);
        expect(named.length).toBeGreaterThan(0);
        expect([i, j]).toEqual(expect.arrayContaining(named));
      }),
      {
        numRuns: 12,
        examples: [
          [[477, 479], false],
          [[477, 479], true],
          [[tileWidth - 1, tileWidth + 1], true],
        ],
      },
    );
  });

  it("does not name a record that stands between two exchanged ones, also after a deletion in the same tile", async () => {
    const lines = honest(true).filter((l) => !(l.kind === "leaf" && l.index === 20));
    const [a, b] = [leafAt(lines, 100), leafAt(lines, 102)];
    [lines[a], lines[b]] = [lines[b] as ExportLine, lines[a] as ExportLine];
    expect(kinds(await verifyLines(lines)).sort()).toEqual(["deleted 20", "reordered 100", "reordered 102"]);
  });

  it("names the place at which a record was inserted", async () => {
    const forged: ExportLine = {
      kind: "leaf",
      index: 300,
      record: buildRecordBody({ ...recordAt(9_999), key_id: null, key_seq: null }),
    };
    const lines = honest(true);
    lines.splice(leafAt(lines, 300), 0, forged);
    expect(kinds(await verifyLines(lines))).toEqual(["inserted 300"]);
    const careful = await verifyLines(renumbered(lines));
    expect(kinds(careful)).toEqual(["inserted 300"]);
    expect(careful.findings[0]?.recordId).toBe(recordAt(9_999).id);
  });

  it("finds every one of these without a hash list too, if less exactly", async () => {
    const change = honest(false);
    change[5] = { kind: "leaf", index: 5, record: buildRecordBody({ ...recordAt(5), status: 500 }) };
    const exchanged = honest(false);
    [exchanged[7], exchanged[8]] = [exchanged[8] as ExportLine, exchanged[7] as ExportLine];
    const doubled = honest(false).toSpliced(20, 0, honest(false)[20] as ExportLine);
    const deleted = honest(false).toSpliced(9, 1);
    for (const lines of [change, exchanged, doubled, deleted]) {
      const plain = await verifyLines(lines);
      expect(plain).toMatchObject({ verified: false, pinpointed: false });
      expect((await verifyLines(renumbered(lines))).verified).toBe(false);
    }
    expect(kinds(await verifyLines(deleted))).toEqual(["deleted 9"]);
    expect(kinds(await verifyLines(exchanged))).toContain("deleted 7");
  });

  it("says so when the hash list was changed along with the record", async () => {
    const lines = honest(true);
    const forged = buildRecordBody({ ...recordAt(3), status: 500 });
    lines[leafAt(lines, 3)] = { kind: "leaf", index: 3, record: forged };
    const texts = bodies.slice(0, tileWidth).toSpliced(3, 1, forged);
    lines[0] = { kind: "tile", index: 0, hashes: concat(...texts.map((t) => leafHash(t))) };
    const report = await verifyLines(lines);
    expect(report.findings.map((f) => f.kind)).toEqual(["hash_list", "root"]);
    expect(report.pinpointed).toBe(false);
  });

  it("finds a gap in a key's numbers", async () => {
    const texts = bodies.toSpliced(4, 1, buildRecordBody({ ...recordAt(4), key_seq: 9 }));
    const signed = await signCheckpoint({ origin, size, root: rootOf(texts) }, signer);
    const lines = texts.map((record, index): ExportLine => ({ kind: "leaf", index, record }));
    const text = [
      formatExportHeader({ origin, public_key: formatVerifierKey(publicKey), checkpoint: signed }),
      ...lines.map(formatExportLine),
    ].join("\n");
    const report = await verifyExport([utf8(text)], { publicKey });
    expect(report.findings[0]).toMatchObject({
      kind: "key_sequence",
      leafIndex: 4,
      message: "key key_1: record 9 follows record 1",
    });
  });

  it("finds text that is not canonical, and records of another log, even where the root fits", async () => {
    const texts = bodies
      .slice(0, 3)
      .concat(`${JSON.stringify(recordAt(3))} `, buildRecordBody({ ...recordAt(6), environment: "staging" }));
    const signed = await signCheckpoint({ origin, size: 5, root: rootOf(texts) }, signer);
    const lines = texts.map((record, index) => formatExportLine({ kind: "leaf", index, record }));
    const report = await verifyExport(
      [
        utf8(
          [formatExportHeader({ origin, public_key: formatVerifierKey(publicKey), checkpoint: signed }), ...lines].join(
            "\n",
          ),
        ),
      ],
      { publicKey },
    );
    expect(report.findings.map((f) => `${f.kind} ${f.leafIndex}`)).toEqual(["not_canonical 3", "other_log 4"]);
  });

  it("accepts leaves without a record where the log itself says what removed them, and counts them", async () => {
    const removal = buildRecordBody({ ...recordAt(600), operation: "audit.expireRecords", object: "leaves:0-99" });
    const texts = bodies.with(600, removal);
    const signed = await signCheckpoint({ origin, size, root: rootOf(texts) }, signer);
    const head = formatExportHeader({ origin, public_key: formatVerifierKey(publicKey), checkpoint: signed });
    const without = (count: number): Promise<ExportReport> => {
      const lines = texts.map(
        (record, index): ExportLine =>
          index < count ? { kind: "leaf_hash", index, hash: leafHash(record) } : { kind: "leaf", index, record },
      );
      return verifyExport([utf8([head, ...lines.map(formatExportLine)].join("\n"))], { publicKey });
    };
    const removed = [{ reason: "expired", request: recordAt(600).id, leaves: 100 }];
    expect(await without(100)).toMatchObject({ verified: true, withoutRecord: 100, leaves: size, removed });
    const more = await without(102);
    expect(more).toMatchObject({ verified: false, withoutRecord: 102, removed });
    expect(more.findings.map(({ message }) => message)).toEqual([
      "leaves 100 to 101 have no text, and no record of a removal explains it",
    ]);
  });

  it("does not accept a checkpoint that another key signed, or one that was changed", async () => {
    const other = verifierKey(
      origin,
      generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" }).subarray(-32),
    );
    expect((await verifyLines(honest(true), { publicKey: other })).findings[0]).toMatchObject({ kind: "signature" });
    const changed = header.replace(`\\n${size}\\n`, `\\n${size - 1}\\n`);
    const lines = honest(false).slice(0, -1).map(formatExportLine);
    const report = await verifyExport([utf8([changed, ...lines].join("\n"))], { publicKey });
    expect(report.findings[0]).toMatchObject({ kind: "signature" });
    expect(report.signedSize).toBeNull();
  });

  it("finds the newest records missing against a kept checkpoint, and a rewritten history", async () => {
    const short = bodies.slice(0, 500);
    const signed = await signCheckpoint({ origin, size: 500, root: rootOf(short) }, signer);
    const text = [
      formatExportHeader({ origin, public_key: formatVerifierKey(publicKey), checkpoint: signed }),
      ...short.map((record, index) => formatExportLine({ kind: "leaf", index, record })),
    ].join("\n");
    expect((await verifyExport([utf8(text)], { publicKey })).verified).toBe(true);
    const cut = await verifyExport([utf8(text)], { publicKey, keptCheckpoint: checkpoint });
    expect(cut.findings[0]).toMatchObject({ kind: "deleted", leafIndex: 500 });
    expect((await verifyLines(honest(true), { publicKey, keptCheckpoint: signed })).verified).toBe(true);
    const rewritten = await signCheckpoint({ origin, size: 500, root: leafHash("another history") }, signer);
    expect((await verifyLines(honest(true), { publicKey, keptCheckpoint: rewritten })).findings[0]?.message).toContain(
      "history was rewritten",
    );
  });

  it("does not accept a line or a head that repeats a member, so that readers may disagree", async () => {
    const lines = honest(false).map(formatExportLine);
    const forged = lines.with(5, lines[5]!.replace('"record":', '"record":"{}","record":'));
    const report = await verifyExport([utf8([header, ...forged].join("\n"))], { publicKey });
    expect(report.findings[0]).toMatchObject({
      kind: "format",
      line: 7,
      message: expect.stringContaining('"record" occurs twice'),
    });
    const head = header.replace('"origin":', '"origin":"another log","origin":');
    expect((await verifyExport([utf8([head, ...lines].join("\n"))], { publicKey })).verified).toBe(false);
  });

  it("reports lines that it cannot read instead of failing", async () => {
    const lines = honest(false).map(formatExportLine);
    lines[3] = "{";
    lines[4] = '{"leaf_index":4}';
    const report = await verifyExport([utf8([header, ...lines].join("\n"))], { publicKey });
    expect(report.findings.filter((f) => f.kind === "format").map((f) => f.line)).toEqual([5, 6]);
    for (const bytes of [utf8(""), utf8("no export"), Uint8Array.of(0xff, 0xfe), utf8("{}\n")]) {
      expect((await verifyExport([bytes], { publicKey })).findings[0]).toMatchObject({ kind: "format", line: 1 });
    }
  });
});
