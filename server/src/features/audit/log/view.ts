import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { auditIntegrity } from "../errors.ts";
import { type AuditPort, auditPort } from "../ports.ts";
import type { AuditEvent, AuditRecord } from "../schemas.ts";
import { inspectLeaf, saltFaults } from "./checks.ts";
import type { LogName } from "./logs.ts";
import { type EventFilter, listRecords, type RecordRow, type SequencedRow } from "./store.ts";
import { type StoredRecord, storedRecord } from "./stored-record.ts";

/** What is shown of a record, by its own text. */
export function membersOf(record: StoredRecord) {
  const { address, request, response } = record;
  const refusing = record.outcome === "allowed" ? undefined : record.stages.find((stage) => stage.verdict === "deny");
  return {
    audit_ref: record.id,
    time: record.time,
    actor: record.principal,
    key_id: record.key_id,
    action: record.operation,
    object: record.object,
    task_id: record.task_id,
    approval_id: record.approval_id,
    decision: record.outcome,
    stage: refusing?.stage ?? null,
    stages: record.stages,
    status: record.status,
    code: record.code,
    trust_score: record.trust_score,
    request_id: record.request_id,
    commitments: { address, request, response },
  };
}

export interface ListedRow extends SequencedRow {
  readonly saltFault: string | undefined;
}

/** A page of a log's records that match a filter, each with what is wrong with its salt. */
export async function listShown(
  ctx: ReadContext,
  log: LogName,
  filter: EventFilter,
  page: PageRequest,
): Promise<ListedRow[]> {
  return withSaltFaults(ctx, log, await listRecords(ctx, log, filter, page));
}

/** Records with what is wrong with their salts. */
export async function withSaltFaults(
  ctx: ReadContext,
  log: LogName,
  rows: readonly SequencedRow[],
): Promise<ListedRow[]> {
  const faults = await saltFaults(ctx.db, log, rows, ctx.port(auditPort));
  return rows.map((row) => ({ ...row, saltFault: faults.get(row.id) }));
}

/** A record as it is listed: by its own text, whatever the search index says, and with what is wrong where the two or the log differ. */
export function eventView(row: ListedRow): AuditEvent {
  const fault = inspectLeaf(row, row.leaf_hash).fault ?? row.saltFault;
  const leaf = { index: row.leaf_index, key_seq: row.key_seq };
  return {
    ...membersOf(storedRecord(row)),
    leaf,
    ...(fault !== undefined && { integrity: `The record ${row.record_id} ${fault}.` }),
  };
}

/** Refuses to show a record that is in the log as another one, or whose salt was tampered with. */
export async function refuseAltered(ctx: ReadContext, row: RecordRow): Promise<void> {
  const leafFault = row.leaf_index === null ? undefined : inspectLeaf(row, row.leaf_hash).fault;
  const fault = leafFault ?? (await saltFaults(ctx.db, row.log, [row], ctx.port(auditPort))).get(row.id);
  if (fault !== undefined) throw refuse(auditIntegrity, `The record ${row.id} ${fault}.`);
}

/** A single record; `salt` opens its commitments while it exists. */
export function recordView(row: RecordRow, salt: Uint8Array | undefined, port: AuditPort): AuditRecord {
  const record = storedRecord(row);
  const { leaf_index: index, key_seq } = row;
  return {
    ...membersOf(record),
    leaf: index === null ? null : { index, key_seq },
    leaf_data: index === null ? null : port.leafData(row.body, key_seq),
    log_key: port.logKey(row.log),
    openings: salt === undefined ? {} : port.openings(salt, record),
  };
}
