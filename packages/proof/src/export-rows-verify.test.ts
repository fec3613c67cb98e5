import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toBase64, utf8 } from "./bytes.ts";
import { signCheckpoint } from "./checkpoint.ts";
import { csvHead, csvRow } from "./csv-row.ts";
import { type ExportFilter, recordFilter } from "./export-filter.ts";
import { type ExportRow, jsonlRow, recordOfLeaf } from "./export-row.ts";
import { type ExportFileFormat, type ExportManifest, exportFileFormats, formatManifest } from "./manifest.ts";
import { type ManifestReport, verifyManifest } from "./manifest-verify.ts";
import { leafHash } from "./merkle.ts";
import { signNote, verifierKey } from "./note.ts";
import { ocsfRow, ocsfVersion } from "./ocsf-row.ts";
import { auditRecord, newSigner } from "./record.fixture.ts";
import { type AuditRecord, buildRecordBody } from "./record.ts";
import { createRemovals } from "./removal.ts";
import { createTreeFold } from "./tree-fold.ts";

const signer = newSigner();
const origin = "aos.example/default/production";
const key = verifierKey(origin, signer.publicKey);

/** A record at a place, of one of two keys or none; members replaceable. */
const recordAt = (place: number, members: Partial<AuditRecord> = {}): AuditRecord => {
  const keyed = place % 3 !== 0;
  return auditRecord({
    id: `aud_01jd8x${String(place).padStart(20, "0")}`,
    key_id: keyed ? `key_${place % 3}` : null,
    key_seq: keyed ? Math.floor(place / 3) + 1 : null,
    outcome: place % 5 === 0 ? "refused" : "allowed",
    object: place % 2 === 0 ? `a "quoted",\r\nobject` : null,
    ...members,
  });
};
const size = 41;
const log = Array.from({ length: size }, (_, place) => buildRecordBody(recordAt(place)));
const rootOf = (leaves: readonly string[]): Uint8Array => {
  const tree = createTreeFold();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  return tree.root();
};

const writers: Record<ExportFileFormat, (row: ExportRow) => string> = {
  jsonl: jsonlRow,
  csv: (row) => csvRow(row),
  ocsf: (row) => ocsfRow(row, origin, { activity_id: 1, activity_name: "Create" }),
};

interface Wanted {
  format: ExportFileFormat;
  filter?: ExportFilter;
  leaves?: readonly string[];
  /** Places whose text is gone. */
  gone?: readonly number[];
  /** Places that are left out although they fit. */
  hidden?: readonly number[];
}

/** An export as the service writes it: its rows, and what the manifest says beside the file. */
function exportOf({ format, filter = {}, leaves = log, gone = [], hidden = [] }: Wanted) {
  const fits = recordFilter(filter);
  const removals = createRemovals();
  const rows: string[] = format === "csv" ? [csvHead] : [];
  let between = createTreeFold();
  const skipped = (next: number): string => {
    const text = toBase64(new Uint8Array(Buffer.concat(between.hashes())));
    between = createTreeFold(next);
    return text;
  };
  for (const [place, leafData] of leaves.entries()) {
    const record = recordOfLeaf(leafData);
    if (gone.includes(place)) removals.missing({ start: place, end: place + 1 });
    else removals.look(record, place);
    if (gone.includes(place) || hidden.includes(place) || !fits(record, place)) between.append(leafHash(leafData));
    else rows.push(writers[format]({ leafIndex: place, leafData, skipped: skipped(place + 1) }));
  }
  const said = {
    filter: { ...filter },
    format,
    tree_size: leaves.length,
    root: toBase64(rootOf(leaves)),
    skipped: skipped(leaves.length),
  };
  return { rows, said: { ...said, without_record: removals.explain().removed } };
}

type Said = ReturnType<typeof exportOf>["said"];

/** Signs rows, whatever they are, and verifies them. */
async function verified(rows: readonly string[], said: Said, keptCheckpoint?: string): Promise<ManifestReport> {
  const file = utf8(rows.join(""));
  const manifest: ExportManifest = {
    export: "exp_1",
    schema_version: ocsfVersion,
    rows: rows.length - (said.format === "csv" ? 1 : 0),
    bytes: file.length,
    sha256: createHash("sha256").update(file).digest("hex"),
    origin,
    ...said,
  };
  return verifyManifest(await signNote(formatManifest(manifest), origin, signer), key, [file], { keptCheckpoint });
}
const verify = (wanted: Wanted): Promise<ManifestReport> => {
  const { rows, said } = exportOf(wanted);
  return verified(rows, said);
};
const found = ({ findings }: ManifestReport): string[] => findings.map(({ kind, message }) => `${kind}: ${message}`);

const filters: ExportFilter[] = [
  {},
  { decision: ["refused"] },
  { from_leaf: 13 },
  { actor: "nobody" },
  { key: "key_1", from_leaf: 7 },
  { stage: ["compliance"], created_after: "2020-01-01T00:00:00Z" },
];

describe.each(exportFileFormats)("an export in %s with a manifest of version 2", (format) => {
  it("verifies whatever narrowed it, and says how much that proves", async () => {
    for (const filter of filters) {
      const report = await verify({ format, filter });
      const byPlace = Object.keys(filter).every((name) => name === "from_leaf");
      expect([filter, found(report), report.records]).toEqual([filter, [], byPlace ? "root" : "included"]);
      expect(
        report.unproved.some((statement) => statement.includes("no record which fits the filter is missing")),
      ).toBe(!byPlace);
    }
    expect(await verify({ format, leaves: [] })).toMatchObject({ verified: true, records: "root", rows: 0 });
  });

  it("does not verify where anything in a row was changed, whoever signed the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...filters),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 94 }),
        async (filter, row, at, by) => {
          const { rows, said } = exportOf({ format, filter });
          const places = rows.flatMap((_row, i) => (format === "csv" && i === 0 ? [] : [i]));
          fc.pre(places.length > 0);
          const changed = places[row % places.length] as number;
          const text = rows[changed] as string;
          const place = at % text.length;
          const printable = String.fromCharCode(32 + ((text.charCodeAt(place) - 32 + by + 95) % 95));
          const report = await verified(
            rows.with(changed, text.slice(0, place) + printable + text.slice(place + 1)),
            said,
          );
          if (!isActivity(text, place)) expect(report.verified, `${text}\n${place} became ${printable}`).toBe(false);
        },
      ),
    );
  });

  it("does not verify where a row was dropped, doubled, or exchanged with another", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...filters),
        fc.nat(),
        fc.nat(),
        fc.constantFrom("drop", "double", "swap"),
        async (filter, one, other, edit) => {
          const { rows, said } = exportOf({ format, filter });
          const first = format === "csv" ? 1 : 0;
          fc.pre(rows.length - first > 1);
          const [a, b] = [first + (one % (rows.length - first)), first + (other % (rows.length - first))];
          fc.pre(edit !== "swap" || a !== b);
          const edited =
            edit === "drop"
              ? rows.toSpliced(a, 1)
              : edit === "double"
                ? rows.toSpliced(b, 0, rows[a] as string)
                : rows.with(a, rows[b] as string).with(b, rows[a] as string);
          expect((await verified(edited, said)).verified).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("does not verify where a record is not in the log, however well its row is formed", async () => {
    const forged = log.with(10, buildRecordBody(recordAt(10, { outcome: "allowed" })));
    for (const filter of [{}, { decision: ["refused", "allowed"] }]) {
      const { rows, said } = exportOf({ format, filter, leaves: forged });
      expect(found(await verified(rows, { ...said, root: toBase64(rootOf(log)) }))).toEqual([
        expect.stringMatching(/^root: /),
      ]);
    }
  });

  it("does not verify where a row does not fit the filter", async () => {
    const { rows, said } = exportOf({ format });
    expect(found(await verified(rows, { ...said, filter: { decision: ["refused"] } }))[0]).toBe(
      "inserted: leaf 1 does not fit the filter that was asked for",
    );
    expect(found(await verified(rows, { ...said, filter: { color: "blue" } as never }))).toEqual([
      'format: there is no filter "color"',
    ]);
  });

  it("does not verify where a record without a text is not explained by the log", async () => {
    for (const filter of [{}, { from_leaf: 3 }]) {
      const report = await verify({ format, filter, gone: [20, 21] });
      expect(found(report)).toEqual(["deleted: leaves 20 to 21 have no text, and no record of a removal explains it"]);
      expect(found(await verify({ format, filter, hidden: [20] }))).toEqual([
        "deleted: leaf 20 has no text, and no record of a removal explains it",
      ]);
    }
    expect(found(await verify({ format, filter: { from_leaf: 21 }, gone: [20] }))).toEqual([]);
  });

  it("verifies without a text whose removal is in the log, and names what removed it", async () => {
    const removal = (place: number, operation: string, object: string, members: Partial<AuditRecord> = {}): string =>
      buildRecordBody(recordAt(place, { operation, object, outcome: "allowed", ...members }));
    const erased = log
      .with(30, removal(30, "audit.eraseRecords", "leaves:20-21"))
      .with(31, removal(31, "audit.expireRecords", "leaves:0-4"));
    const report = await verify({ format, leaves: erased, gone: [0, 1, 2, 3, 4, 20, 21] });
    expect(found(report)).toEqual([]);
    expect(report.manifest?.without_record).toEqual([
      { reason: "erased", request: recordAt(30).id, leaves: 2 },
      { reason: "expired", request: recordAt(31).id, leaves: 5 },
    ]);
    for (const wrong of [
      removal(30, "audit.eraseRecords", "leaves:20-20"),
      removal(30, "audit.eraseRecords", "leaves:20-30"),
      removal(30, "audit.eraseRecords", "leaves:20-21", { outcome: "refused" }),
      removal(30, "audit.readEvent", "leaves:20-21"),
      removal(30, "audit.eraseRecords", "leaves:21-20"),
    ]) {
      expect((await verify({ format, leaves: log.with(30, wrong), gone: [20, 21] })).verified).toBe(false);
    }
    const { rows, said } = exportOf({ format, leaves: erased, gone: [20, 21] });
    expect(found(await verified(rows, { ...said, without_record: [] }))).toEqual([
      expect.stringContaining("the manifest counts other records as removed"),
    ]);
  });

  it("is compared with a checkpoint that was kept, where nothing but removals leaves out records", async () => {
    const { rows, said } = exportOf({ format });
    const kept = async (leaves: readonly string[]): Promise<string[]> =>
      found(
        await verified(rows, said, await signCheckpoint({ origin, size: leaves.length, root: rootOf(leaves) }, signer)),
      );
    expect(await kept(log.slice(0, 17))).toEqual([]);
    expect(await kept(log)).toEqual([]);
    expect(await kept(log.slice(1, 18))).toEqual([expect.stringContaining("history was rewritten")]);
    expect(await kept([...log, "{}"])).toEqual([expect.stringContaining("the newest are missing")]);
    const filtered = exportOf({ format, filter: { actor: "mbr_1" } });
    const checkpoint = await signCheckpoint({ origin, size: 1, root: rootOf(log.slice(0, 1)) }, signer);
    expect(found(await verified(filtered.rows, filtered.said, checkpoint))).toEqual([
      expect.stringContaining("with an export of the whole log only"),
    ]);
  });
});

/** Whether a character of a row belongs to the activity of an OCSF event, which the service chooses and no record says. */
function isActivity(text: string, at: number): boolean {
  const activity = text.startsWith('{"activity_id"') ? text.indexOf(',"category_uid"') : 0;
  const type = text.indexOf('"type_uid"');
  return at < activity || (type >= 0 && at >= type && at < text.indexOf('"time"'));
}
