import { type Refusal, refuse } from "../kernel/errors.ts";
import { auditUnavailable } from "../kernel/problems.ts";
import type { StageVerdict } from "../kernel/verdict.ts";
import { draftRecord, RefusalThrottle } from "./audit.ts";
import { type Answer, verdictsOf } from "./call.ts";
import type { Machine } from "./ports.ts";
import { problemAnswer } from "./problem.ts";
import type { Reached } from "./stages.ts";
import { blockedEvents, violationRows, warnedEvents } from "./violations.ts";

const members = { permissions: "permissions", evaluation_gate: "gate", compliance: "compliance" } as const;

/** The call as its record shows it: the stage that refused says so, whatever it had found before, and nothing came of what was not written. */
export function refusedAt(reached: Reached, { type, details }: Refusal): Reached {
  const approvalId = type === auditUnavailable ? (reached.approvalId ?? null) : null;
  const stage = details.stage ?? (type.status === 401 || type.status === 429 ? "permissions" : undefined);
  if (stage === undefined || stage === "audit") return { ...reached, approvalId };
  const member = members[stage];
  const said = verdictsOf(reached)[member];
  const reasons = [...(said.verdict === "not_reached" ? [] : said.reasons), type.code];
  const verdict: StageVerdict = { stage, verdict: "deny", reasons, policy_version: said.policy_version };
  return { ...reached, approvalId, [member]: verdict };
}

/** The answer to a refusal, with what its record names; null where another call's record stands for it. */
export interface RefusalAnswer {
  readonly answer: Answer;
  readonly object: string | null;
}

/** A refusal goes straight to its record, then to its answer. Cannot write the record: 503, never silence. */
export function createRefusals(machine: Machine): (reached: Reached, refusal: Refusal) => Promise<RefusalAnswer> {
  const throttle = new RefusalThrottle();
  return async (reached, refusal) => {
    let object: string | null = null;
    const write = async (): Promise<string> => {
      const { auditRef } = reached;
      const { body, status } = problemAnswer(reached, refusal, auditRef);
      const draft = draftRecord(reached, { status, body, output: undefined, problem: refusal.type });
      object = draft.object;
      const record = await machine.recorder.prepare(draft);
      const rows = violationRows(reached, draft.taskId, refusal);
      const events = [...blockedEvents(reached, refusal), ...warnedEvents(reached)];
      await machine.recorder.append({ record, rows, events, jobs: [], newEventId: () => machine.newId("evt") });
      return auditRef;
    };
    const shared = refusal.type.status === 401 || refusal.type.status === 429;
    try {
      const reference = await (shared ? throttle.once(reached, refusal, write) : write());
      return { answer: problemAnswer(reached, refusal, reference), object };
    } catch (error) {
      machine.report(error, reached.call.requestId, reached.spec.id);
      const unavailable = refuse(auditUnavailable, "The refusal could not be recorded; try again.", { stage: "audit" });
      return { answer: problemAnswer(reached, unavailable, reached.auditRef), object };
    }
  };
}
