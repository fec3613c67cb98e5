import { type AuditRecord, erasesSalt, leafHash, recordOfLeaf, refusingStage, sameBytes, withKeySeq } from "@aos/proof";
import { auditRecordRows } from "../../../audit-log/shared-rows.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { SaltedRecord, SaltPort } from "../ports.ts";
import type { LogName } from "./logs.ts";

/** The columns of the search index that follow from a record's text. */
const expected = {
  record_id: ({ id }: AuditRecord) => id,
  key_id: ({ key_id }: AuditRecord) => key_id,
  principal: ({ principal }: AuditRecord) => principal,
  operation: ({ operation }: AuditRecord) => operation,
  object: ({ object }: AuditRecord) => object,
  task_id: ({ task_id }: AuditRecord) => task_id,
  approval_id: ({ approval_id }: AuditRecord) => approval_id,
  decision: ({ outcome }: AuditRecord): string => outcome,
  stage: refusingStage,
  status: ({ status }: AuditRecord) => status,
};

export type IndexColumns = { readonly [name in keyof typeof expected]: ReturnType<(typeof expected)[name]> };
export const indexColumns = Object.keys(expected) as (keyof IndexColumns)[];

/** The first column in which the search index differs from the record, in words. */
export function indexFault(index: IndexColumns, record: AuditRecord): string | undefined {
  const name = indexColumns.find((one) => index[one] !== storable(expected[one](record)));
  if (name === undefined) return undefined;
  return `its ${name} is ${JSON.stringify(index[name])} in the search index, and ${JSON.stringify(expected[name](record))} in the record itself`;
}

export interface StoredLeaf extends IndexColumns {
  readonly key_seq: number | null;
  /** The record's canonical JSON, its `key_seq` still open. */
  readonly body: string;
}

export type LeafFinding =
  | { readonly leafData: string; readonly record: AuditRecord; readonly fault?: undefined }
  | { readonly fault: string };

export function inspectLeaf(leaf: StoredLeaf, hash: Uint8Array | null): LeafFinding {
  const leafData = leafDataOf(leaf.body, leaf.key_seq);
  if (leafData === undefined || hash === null || !sameBytes(leafHash(leafData), hash)) {
    return { fault: "is not what was logged: its text, its place or its number among those of its key was changed" };
  }
  const record = recordOfLeaf(leafData);
  const fault = indexFault(leaf, record);
  return fault === undefined ? { leafData, record } : { fault: `is not what the search index says: ${fault}` };
}

/** The leaf data of a text as it is stored; undefined where the number has no place in it. */
function leafDataOf(body: string, keySeq: number | null): string | undefined {
  try {
    return keySeq === null ? body : withKeySeq(body, keySeq);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** PostgreSQL's text has no NUL: the index has U+FFFD in its place. */
export function storable<T extends string | number | null>(value: T): T | string {
  return typeof value === "string" && value.includes("\u0000") ? value.replaceAll("\u0000", "\ufffd") : value;
}

/** Select list over `audit_records r` and `saltOfRecord`, except for `id`, `body` and `closed`. */
export const saltColumns = "r.salt_id, r.writer, r.number::text as number, r.mac, s.salt";
export const saltOfRecord =
  "left join audit_salts s on s.organization = r.organization and s.environment = r.environment and s.id = r.salt_id";

const exchanged = "is not as it was written: its salt, the reference to it, or its text was changed";
const unexplained = "has lost the salt of its commitments, and no record of an erasure explains it";

/** What is wrong with the salts of records, by record id. A missing salt needs the record of the call that destroyed it. */
export async function saltFaults(
  db: Statements,
  log: LogName,
  records: readonly SaltedRecord[],
  port: SaltPort,
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  const missing: { id: string; salt: string }[] = [];
  for (const record of records) {
    const state = port.saltState(log, record);
    if (state === "exchanged") faults.set(record.id, exchanged);
    if (state === "missing") missing.push({ id: record.id, salt: record.salt_id as string });
  }
  if (missing.length === 0) return faults;
  const erased = await erasedSalts(db, log, [...new Set(missing.map(({ salt }) => salt))], port);
  for (const { id, salt } of missing) if (!erased.has(salt)) faults.set(id, unexplained);
  return faults;
}

interface ErasureRow extends Omit<SaltedRecord, "salt" | "closed"> {
  readonly erased: string;
}

/** Those of the salts that a call destroyed by its own record. `audit_erasures` only finds that record: the row itself proves nothing. */
async function erasedSalts(
  db: Statements,
  { organization, environment }: LogName,
  salts: readonly string[],
  port: SaltPort,
): Promise<ReadonlySet<string>> {
  const rows = await db.query<ErasureRow>(
    `select e.salt_id as erased, r.id, r.body, r.salt_id, r.writer, r.number::text as number, r.mac
     from audit_erasures e
     join ${auditRecordRows} r on r.organization = e.organization and r.environment = e.environment and r.id = e.audit_ref
     where e.organization = $1 and e.environment = $2 and e.salt_id = any($3::text[])`,
    [organization, environment, salts],
  );
  const log = { organization, environment };
  const proved = rows.filter((row) => port.wrote(log, row) && erasesSalt(recordOfLeaf(row.body), row.erased));
  return new Set(proved.map(({ erased }) => erased));
}
