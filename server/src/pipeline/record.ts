import { Refusal, refuse } from "../kernel/errors.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import type { Attempt } from "./stages.ts";
import { draftRecord } from "./audit.ts";
import type { CallRows, PreparedRecord } from "./ports.ts";
import { violationRows, warnedEvents } from "./violations.ts";

/** The record of a call that ends well. */
export async function prepare(
  attempt: Attempt,
  body: string,
  status: number,
  output: unknown,
): Promise<PreparedRecord> {
  return await attempt.machine.recorder.prepare(draftRecord(attempt, { status, body, output, problem: null }));
}

/** Writes a record that has no effect beside it, with what policies found. */
export async function recordAlone(attempt: Attempt, record: PreparedRecord): Promise<void> {
  const { machine } = attempt;
  const writes = withFindings(attempt, { rows: [], events: [], jobs: [], newEventId: () => machine.newId("evt") });
  await unlessUnavailable(machine.recorder.append({ record, ...writes }));
}

/** What a call writes, and what policies found of it. The record has been drafted. */
export function withFindings<W extends Omit<CallRows, "record">>(attempt: Attempt, writes: W): W {
  if (attempt.findings.length === 0) return writes;
  return {
    ...writes,
    rows: [...writes.rows, ...violationRows(attempt, null)],
    events: [...writes.events, ...warnedEvents(attempt)],
  };
}

/** A commit that fails is 503 `audit_unavailable`: no record, no effect. A refusal out of a constraint stays what it is. */
export async function unlessUnavailable<T>(commit: Promise<T>): Promise<T> {
  try {
    return await commit;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw Object.assign(
      refuse(
        auditUnavailable,
        "The record of the call could not be confirmed. With an Idempotency-Key it is safe to send it again.",
        {
          stage: "audit",
        },
      ),
      { cause: error },
    );
  }
}
