import { type AuditRecord, leafHash, withKeySeq } from "@aos/proof";
import { storedJson } from "../kernel/stored-json.ts";
import type { LogState } from "./log-state.ts";
import type { Queryable } from "./tile-store.ts";

/** A record as calls append it. */
export interface RecordRow {
  readonly id: string;
  readonly xid: string;
  readonly n: number;
  readonly body: string;
  readonly salt_id: string | null;
  readonly writer: string | null;
  /** Decimal. */
  readonly number: string | null;
  readonly mac: Buffer | null;
  /** `leaf_index` and `key_seq` of its row in `audit_leaves`, where it has one and that was looked up. */
  readonly leaf: readonly [index: string, keySeq: string | null] | null;
}

/** The columns of `audit_leaves` after organization and environment, one list each, in this order. */
export const leafColumns = [
  ["record_id", "text"],
  ["leaf_index", "bigint"],
  ["key_id", "text"],
  ["key_seq", "bigint"],
  ["principal", "text"],
  ["operation", "text"],
  ["object", "text"],
  ["task_id", "text"],
  ["approval_id", "text"],
  ["decision", "text"],
  ["stage", "text"],
  ["status", "int"],
] as const;

type Cell = string | number | null;

/** A batch of leaves: values by column, and the key counters that it moved. */
export interface LeafBatch {
  readonly columns: Cell[][];
  readonly counters: ReadonlyMap<string, number>;
}

/** The data of a leaf: the record with its number among those of its key, where it has one. */
export function leafDataOf(body: string, keySeq: number | null): string {
  return keySeq === null ? body : withKeySeq(body, keySeq);
}

/**
 * Gives records their leaf index and key number, appends them to the state's tree and lays out the rows of `audit_leaves`. The counters of all keys in the
 * batch must be loaded.
 */
export function appendLeaves(state: LogState, records: readonly ParsedRow[]): LeafBatch {
  const columns: Cell[][] = leafColumns.map(() => []);
  const moved = new Map<string, number>();
  for (const { row, record } of records) {
    const keySeq = record.key_id ? (state.counters.get(record.key_id) ?? 0) + 1 : null;
    if (record.key_id && keySeq !== null) {
      state.counters.set(record.key_id, keySeq);
      moved.set(record.key_id, keySeq);
    }
    const cells = cellsOf(row.id, state.firstLeaf + state.tree.size, keySeq, record);
    for (const [i, cell] of cells.entries()) (columns[i] as Cell[]).push(cell);
    state.tree.append(leafHash(leafDataOf(row.body, keySeq)));
  }
  return { columns, counters: moved };
}

function cellsOf(id: string, index: number, keySeq: number | null, r: AuditRecord): Cell[] {
  const stage = r.outcome === "allowed" ? null : (r.stages.find((s) => s.verdict === "deny")?.stage ?? null);
  const cells = [
    id,
    index,
    r.key_id,
    keySeq,
    r.principal,
    r.operation,
    r.object,
    r.task_id,
    r.approval_id,
    r.outcome,
    stage,
    r.status,
  ];
  return cells.map((cell) => (typeof cell === "string" ? storable(cell) : cell));
}

/** What PostgreSQL takes as text: it has no NUL. Only the index is searched by this; the leaf is the record as it was written. */
function storable(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
}

/** A row with the record that its text holds. */
export interface ParsedRow {
  readonly row: RecordRow;
  readonly record: AuditRecord;
}

const recordJson = storedJson<{ body: AuditRecord }>();

/** The record that a text holds, if its number is still open; null for anything else. */
export function parseRecord(body: string): AuditRecord | null {
  try {
    const record = recordJson({ body }, "body");
    const texts = [record.principal, record.operation, record.outcome, record.key_id ?? ""];
    const whole =
      texts.every((t) => typeof t === "string") && Array.isArray(record.stages) && Number.isInteger(record.status);
    if (!whole || (record.key_id !== null && !body.includes('"key_seq":null'))) return null;
    return record;
  } catch {
    return null;
  }
}

/** Reads the counters of the keys in a batch that the state does not hold yet. */
export async function loadCounters(db: Queryable, state: LogState, records: readonly ParsedRow[]): Promise<void> {
  const missing = new Set<string>();
  for (const { record } of records) {
    const key = record.key_id;
    if (typeof key === "string" && !state.counters.has(key)) missing.add(key);
  }
  if (missing.size === 0) return;
  const { rows } = await db.query<{ key_id: string; seq: string | number }>({
    name: "audit_counters_read",
    text: "select key_id, seq from audit_key_counters where organization = $1 and environment = $2 and key_id = any($3)",
    values: [state.scope.organization, state.scope.environment, [...missing]],
  });
  for (const row of rows) state.counters.set(row.key_id, Number(row.seq));
}
