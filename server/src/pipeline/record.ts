import type { AppendTable } from "../kernel/append.ts";
import { Refusal, refuse } from "../kernel/errors.ts";
import { ledgerTable } from "../kernel/ledger.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import { draftRecord } from "./audit.ts";
import type { Answer } from "./call.ts";
import type { AppendedRow, CallRows, PreparedRecord, RecordDraft } from "./ports.ts";
import type { Handled, Reached, Settled } from "./stages.ts";
import { violationRows, warnedEvents } from "./violations.ts";

/** A record that is ready to be written, with what it names. */
export interface Prepared extends Pick<RecordDraft, "object" | "taskId"> {
  readonly record: PreparedRecord;
}

/** The record of a call that ends well. */
export async function prepareRecord(call: Reached, { body, status }: Answer, output: unknown): Promise<Prepared> {
  const draft = draftRecord(call, { status, body, output, problem: null });
  const record = await call.machine.recorder.prepare(draft);
  return { record, object: draft.object, taskId: draft.taskId };
}

/** Writes a record that has no effect beside it, with what policies found. */
export async function recordAlone(call: Reached, answer: Answer, output: unknown): Promise<Settled> {
  const prepared = await prepareRecord(call, answer, output);
  await unlessUnavailable(call.machine.recorder.append(rowsOf(call, prepared, noWrites(call))));
  return { answer, output, object: prepared.object, events: [] };
}

export const noWrites = ({ machine }: Reached): Handled["writes"] => ({
  rows: [],
  events: [],
  jobs: [],
  newEventId: () => machine.newId("evt"),
});

/** What a call writes: its record, what its handler did, what it is charged, and what policies found of it. */
export function rowsOf(call: Reached, { record, object, taskId }: Prepared, writes: Handled["writes"]): CallRows {
  const entry = entryOf(call, { object, taskId });
  if (!call.findings?.length) return { record, ...writes, ...(entry && { rows: [...writes.rows, entry] }) };
  return {
    record,
    ...writes,
    rows: [...writes.rows, ...(entry ? [entry] : []), ...violationRows(call, taskId, null)],
    events: [...writes.events, ...warnedEvents(call)],
  };
}

/** What the call is charged, in the ledger; null: nothing, or not yet. */
function entryOf(
  { charge, keepsCharge, actual }: Reached,
  { object, taskId }: Omit<Prepared, "record">,
): AppendedRow | null {
  if (!charge) return null;
  charge.about(object, taskId);
  const entry = keepsCharge ? null : charge.entry(actual);
  return entry && { table: ledgerTable as unknown as AppendTable, row: entry };
}

export function settledAs({ output, writes }: Handled, answer: Answer, { object }: Prepared): Settled {
  return { answer, output, object, events: writes.events };
}

/** A commit that fails is 503 `audit_unavailable`: no record, no effect. A refusal out of a constraint stays what it is. */
export async function unlessUnavailable<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const detail =
      "The record of the call could not be confirmed. With an Idempotency-Key it is safe to send it again.";
    throw Object.assign(refuse(auditUnavailable, detail, { stage: "audit" }), { cause: error });
  }
}
