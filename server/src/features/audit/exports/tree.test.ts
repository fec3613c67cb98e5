import {
  type AuditRecord,
  buildRecordBody,
  createTreeFold,
  leafHash,
  recordFilter,
  refusingStage,
  toBase64,
  withKeySeq,
} from "@aos/proof";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexColumns } from "../log/checks.ts";
import { LogAltered } from "../ports.ts";
import { sampleRecord } from "./export.fixture.ts";
import { byPlace, checkLeaf, createExportTree, type LeafRow } from "./tree.ts";

const scope = { organization: "default", environment: "production" } as const;

/** What the database has of a log with these records: its rows and the hashes of its tiles. */
function databaseOf(records: readonly AuditRecord[]): { rows: LeafRow[]; hashes: Uint8Array[] } {
  const rows = records.map((record, place): LeafRow => {
    const {
      id: record_id,
      key_id,
      principal,
      operation,
      object,
      task_id,
      approval_id,
      outcome: decision,
      status,
    } = record;
    const columns = {
      record_id,
      key_id,
      principal,
      operation,
      object,
      task_id,
      approval_id,
      decision,
      stage: refusingStage(record),
      status,
    };
    return { ...columns, leaf_index: place, key_seq: place + 1, body: buildRecordBody({ ...record, key_seq: null }) };
  });
  return { rows, hashes: rows.map(({ body, key_seq }) => leafHash(withKeySeq(body as string, key_seq as number))) };
}

/** The places that an export of these rows holds, and their log's head. Throws LogAltered. */
function exported(rows: readonly LeafRow[], hashes: readonly Uint8Array[], root: string, filter = {}): number[] {
  const tree = createExportTree(0, []);
  const fits = recordFilter(filter);
  const places: number[] = [];
  for (const [place, row] of byPlace(rows, 0, hashes.length).entries()) {
    const leaf = checkLeaf(row, place, hashes[place] as Uint8Array, scope);
    const told = tree.take(leaf, leaf.content !== null && fits(leaf.content.record, place));
    if (told) places.push(told.leafIndex);
  }
  tree.end({ origin: "o", size: hashes.length, root });
  return places;
}

const rootOf = (hashes: readonly Uint8Array[]): string => {
  const tree = createTreeFold();
  for (const hash of hashes) tree.append(hash);
  return toBase64(tree.root());
};

const outcome = fc.constantFrom<AuditRecord["outcome"]>("allowed", "refused", "failed");
const record = fc.record({
  outcome,
  principal: fc.constantFrom("mbr_1", "mbr_2"),
  object: fc.option(fc.string(), { nil: null }),
});
const aLog = fc.array(record, { minLength: 2, maxLength: 30 }).map((list) =>
  list.map((members, i) =>
    sampleRecord({
      ...members,
      id: `aud_01jd8x${String(i).padStart(20, "0")}`,
      object: members.object?.toWellFormed() ?? null,
    }),
  ),
);
const filters = fc.constantFrom({}, { decision: ["refused"] }, { actor: "mbr_2" }, { stage: ["permissions"] });

type Edit = (rows: LeafRow[], hashes: Uint8Array[], a: number, b: number) => void;
const set = (rows: LeafRow[], at: number, members: Partial<LeafRow>): void => {
  rows[at] = { ...(rows[at] as LeafRow), ...members };
};
const edits: Record<string, Edit> = {
  "a character of a body": (rows, _hashes, a, b) => {
    const { body } = rows[a] as LeafRow;
    const at = b % (body as string).length;
    set(rows, a, { body: `${body?.slice(0, at)}${body?.[at] === "x" ? "y" : "x"}${body?.slice(at + 1)}` });
  },
  "a body that is gone": (rows, _hashes, a) => set(rows, a, { body: null }),
  "a row that is gone": (rows, _hashes, a) => void rows.splice(a, 1),
  "a row twice": (rows, _hashes, a) => void rows.push(rows[a] as LeafRow),
  "two rows exchanged": (rows, _hashes, a, b) => {
    const other = (a + 1 + (b % (rows.length - 1))) % rows.length;
    set(rows, a, { leaf_index: other });
    set(rows, other, { leaf_index: a });
  },
  "a number of a key": (rows, _hashes, a, b) => set(rows, a, { key_seq: a + 2 + b }),
  "a column of the search index": (rows, _hashes, a, b) =>
    set(rows, a, { [indexColumns[b % indexColumns.length] as string]: "other" }),
  "a hash of a tile": (_rows, hashes, a) => {
    hashes[a] = leafHash(`another ${a}`);
  },
  "a record with its hash": (rows, hashes, a) => {
    const body = (rows[a] as LeafRow).body?.replace('"trust_score":0.8125', '"trust_score":0.9') as string;
    set(rows, a, { body });
    hashes[a] = leafHash(withKeySeq(body, a + 1));
  },
};

describe("the check of an export while it is written", () => {
  it("passes a log as it was written, and chooses by the records", () => {
    fc.assert(
      fc.property(aLog, (records) => {
        const { rows, hashes } = databaseOf(records);
        const refused = records.flatMap((one, place) => (one.outcome === "refused" ? [place] : []));
        expect(exported(rows, hashes, rootOf(hashes), { decision: ["refused"] })).toEqual(refused);
      }),
    );
  });

  it.each(Object.keys(edits))("fails for any single edit, whatever the filter: %s", (name) => {
    fc.assert(
      fc.property(aLog, filters, fc.nat(), fc.nat({ max: 5_000 }), (records, filter, one, other) => {
        const { rows, hashes } = databaseOf(records);
        const root = rootOf(hashes);
        (edits[name] as Edit)(rows, hashes, one % rows.length, other);
        expect(() => exported(rows, hashes, root, filter)).toThrow(LogAltered);
      }),
    );
  });
});
