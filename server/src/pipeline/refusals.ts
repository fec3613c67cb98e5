import type { Refusal } from "../kernel/errors.ts";
import { refuse } from "../kernel/errors.ts";
import type { EmittedEvent } from "../kernel/events.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import { type Attempt, collectEvents } from "./stages.ts";
import { draftRecord, RefusalThrottle } from "./audit.ts";
import type { Answer } from "./call.ts";
import { policyBlockedEvent } from "./events.ts";
import type { Machine } from "./ports.ts";
import { problemAnswer } from "./problem.ts";
import { agentOf, violationRows, warnedEvents } from "./violations.ts";

/** A refusal jumps to audit: the record first, then the answer. Cannot write the record: 503, never silence. */
export function refusals(machine: Machine): (attempt: Attempt, refusal: Refusal) => Promise<Answer> {
  const throttle = new RefusalThrottle();
  const write = async (attempt: Attempt, refusal: Refusal): Promise<string> => {
    const { auditRef } = attempt.progress;
    const { body, status } = problemAnswer(attempt, refusal, auditRef);
    const record = await machine.recorder.prepare(
      draftRecord(attempt, { status, body, output: undefined, problem: refusal.type }),
    );
    const events = [...blockedEvents(attempt, refusal), ...warnedEvents(attempt)];
    await machine.recorder.append({
      record,
      rows: violationRows(attempt, refusal),
      events,
      jobs: [],
      newEventId: () => machine.newId("evt"),
    });
    return auditRef;
  };
  return async (attempt, refusal) => {
    const shared = refusal.type.status === 401 || refusal.type.status === 429;
    try {
      const reference = await (shared
        ? throttle.once(attempt, refusal, () => write(attempt, refusal))
        : write(attempt, refusal));
      return problemAnswer(attempt, refusal, reference);
    } catch (error) {
      machine.report(error, attempt.call.requestId, attempt.spec.id);
      const unavailable = refuse(auditUnavailable, "The refusal could not be recorded; try again.", { stage: "audit" });
      return problemAnswer(attempt, unavailable, attempt.progress.auditRef);
    }
  };
}

/** A call that a policy blocked is told to subscribers too. */
function blockedEvents(attempt: Attempt, refusal: Refusal): EmittedEvent[] {
  const { spec, progress } = attempt;
  if (refusal.type.code !== "policy_blocked" || attempt.dryRun || progress.scope === null) return [];
  const { events, emit } = collectEvents();
  emit(policyBlockedEvent, {
    operation: spec.id,
    agent: agentOf(attempt),
    principal: progress.principal.id,
    detail: refusal.details.detail,
    audit_ref: progress.auditRef,
  });
  return events;
}
