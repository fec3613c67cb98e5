import { Refusal, refuse } from "../kernel/errors.ts";
import type { GateSubject, Operation } from "../kernel/operation.ts";
import { callerOf } from "../kernel/principal.ts";
import { auditUnavailable, internalError, notFound } from "../kernel/problems.ts";
import { shortened } from "../kernel/text.ts";
import { stricter } from "../kernel/verdict.ts";
import { type Attempt, beginAttempt, contextOf, scopeOf } from "./stages.ts";
import { admit, authenticate } from "./authenticate.ts";
import { createBatchLanes } from "./batch-lanes.ts";
import type { Answer, Call } from "./call.ts";
import { type CompiledOperation, compileOperations } from "./compile.ts";
import { checkHold, comply, gatherFacts, notApplicable } from "./compliance.ts";
import { readContext } from "./effect.ts";
import { passGate } from "./evaluation-gate.ts";
import { readInput } from "./input.ts";
import { permitBody, permitObjects, refuseWhole } from "./narrowing.ts";
import { permit } from "./permissions.ts";
import type { Machine } from "./ports.ts";
import { checkPrecondition } from "./precondition.ts";
import { asksToWait } from "./prefer.ts";
import { refusals } from "./refusals.ts";
import { settleAppend, settleOwn, settleRead } from "./settle.ts";
import { type Batches, settleBatch } from "./settle-batch.ts";
import type { EndedCall } from "./watch.ts";

/** What a call came to: its answer for the wire, and the handler's output for callers inside. */
export interface Outcome {
  readonly answer: Answer;
  readonly output: unknown;
  readonly refusal: Refusal | null;
}

/** The pipeline over a registry. The only way to a handler, and the only maker of contexts. */
export interface Pipeline {
  run(operation: Operation, call: Call): Promise<Outcome>;
}

/** Builds the pipeline. */
export function createPipeline(machine: Machine, operations: readonly Operation[]): Pipeline {
  const compiled = compileOperations(operations);
  const refused = refusals(machine);
  const effects = { read: settleRead, own: settleOwn, grouped: settleAppend };
  const pass = async (attempt: Attempt, known: CompiledOperation): Promise<Outcome> => {
    const { call, times } = attempt;
    try {
      await permissions(attempt, known);
      times.permitted = performance.now();
      const reading = readInput(attempt);
      if (reading) await reading;
      if (attempt.progress.principal.agents !== null) await permitBody(attempt);
      times.read = performance.now();
      const { kind } = known.spec;
      return await (kind === "batch"
        ? settleBatch(attempt, () => govern(attempt), batches)
        : effects[kind](attempt, () => govern(attempt)));
    } catch (error) {
      times.refused = performance.now();
      const refusal = error instanceof Refusal ? error : fault(attempt, error);
      noteRefusal(attempt.progress, refusal);
      if (refusal.type !== auditUnavailable) attempt.approvalId = null; // what the handler made was not written
      if (refusal.cause) machine.report(refusal.cause, call.requestId, known.spec.id);
      return { answer: await refused(attempt, refusal), output: undefined, refusal };
    } finally {
      attempt.leave?.();
    }
  };
  const run = async (operation: Operation, call: Call): Promise<Outcome> => {
    const known = compiled.get(operation);
    if (!known) throw new Error(`operation ${operation.id} is not in the registry`);
    const { watch } = machine;
    const go = async (): Promise<Outcome> => {
      const attempt = beginAttempt(machine, known, call);
      const outcome = await pass(attempt, known);
      watch?.ended(endOf(attempt, outcome));
      return outcome;
    };
    return watch === null ? go() : watch.run(operation.id, call, go);
  };
  const batches: Batches = { run, lanes: createBatchLanes() };
  return { run };
}

/** What a watch is told of a call. The events of one that only looked, or answers again what was answered, are not its own. */
function endOf(
  { spec, call, progress, times, named, dryRun, replayed, emitted }: Attempt,
  { answer, refusal }: Outcome,
): EndedCall {
  return {
    ...{ operation: spec.id, door: spec.door, call, progress, times, status: answer.status },
    code: refusal?.type.code ?? null,
    object: named?.object ?? null,
    events: refusal || dryRun || replayed ? [] : emitted,
  };
}

/** Who calls, whether role and scope allow it, and whether what the path names is there: 401, 403, 404 in this order. */
async function permissions(attempt: Attempt, { spec, index, roles }: CompiledOperation): Promise<void> {
  const { machine, call, progress } = attempt;
  const identity = await authenticate(machine, call, progress.now);
  progress.principal = identity.principal;
  progress.scope = identity.scope;
  attempt.params = call.params; // so that the record of a refusal names what was asked for
  // An item of a batch comes from whom its batch came from, who was admitted with it and asked at its rate.
  if (call.batch === null) Object.assign(attempt.headers, admit(machine, identity, call, progress.now));
  if (identity.key !== null && call.batch === null && !isWaiting(attempt))
    attempt.leave = machine.inFlight.take(callerOf(identity.principal), call.bodyLength);
  const { role } = identity.principal;
  const verdict = permit(identity.principal, spec.permission, role !== null && roles.allows(role, index));
  refuseWhole(identity.principal, spec);
  if (!("reason" in spec.load)) {
    const load = spec.load as unknown as (ctx: object, params: object) => unknown;
    attempt.loaded = await load(readContext(attempt), call.params);
    if (attempt.loaded === undefined) throw missing(call.params, identity.scope.environment);
  }
  if (identity.principal.agents !== null) await permitObjects(attempt);
  progress.permissions = verdict;
}

/** A call that waits for something to end costs nothing meanwhile. */
const isWaiting = ({ spec, call }: Attempt): boolean => spec.waitable === true && asksToWait(call);

/** Names that are longer than any of ours are not repeated whole. */
const longestName = 100;

/** What the path names is not there, or not to be seen: says what was asked for, as the path had it. An address that is none has no names. */
function missing({ "*": unknown, ...params }: Call["params"], environment: string): Refusal {
  // An operation inside the service is given more than names.
  const names = Object.entries<unknown>(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const asked = names.map(([name, value]) => `${name.replace("_", " ")} ${shortened(value, longestName)}`);
  const what = unknown === undefined && asked.length > 0 ? asked.join(" with ") : "such thing";
  return refuse(notFound, `There is no ${what} in ${environment}.`, { stage: "permissions" });
}

/** What the change is based on: required of some operations, the caller's choice of others. */
function checkBase({ spec, call, loaded }: Attempt): void {
  const revisionOf = spec.ifMatch ?? (call.ifMatch === null ? undefined : spec.mayMatch);
  if (revisionOf) checkPrecondition(call.ifMatch, (revisionOf as unknown as (loaded: unknown) => string)(loaded));
}

/** What the change is based on, the evaluation gate, stops and pauses, then policies. What they ask for is merged to the strictest and handed to the handler. */
function govern(attempt: Attempt): void {
  const { machine, progress, spec } = attempt;
  if (attempt.unfit) throw attempt.unfit;
  checkBase(attempt);
  const { params, query, body, loaded } = attempt;
  const waits = "waits" in spec.compliance && spec.compliance.waits;
  attempt.times.governs = performance.now();
  if ("reason" in spec.gate) {
    progress.gate = notApplicable(spec.gate.reason, "evaluation_gate");
  } else {
    const subject = (spec.gate as unknown as (ctx: object, given: object) => GateSubject)(contextOf(attempt), {
      params,
      query,
      body,
      loaded,
    });
    const scope = scopeOf(attempt);
    const { ports } = machine;
    const known = { facts: ports.gate(scope, subject.versionId), override: ports.gateOverride(scope, subject.agent) };
    const outcome = passGate(subject, scope, known, progress.now, waits);
    progress.gate = outcome.verdict;
    progress.tags = outcome.tags;
    attempt.approval = outcome.approval;
  }
  attempt.times.gated = performance.now();
  gatherFacts(attempt);
  checkHold(attempt);
  const outcome = comply(attempt);
  progress.compliance = outcome.verdict;
  progress.tags = [...progress.tags, ...outcome.tags];
  attempt.approval = stricter(attempt.approval, outcome.approval);
  attempt.times.complied = performance.now();
}

function fault(attempt: Attempt, error: unknown): Refusal {
  attempt.machine.report(error, attempt.call.requestId, attempt.spec.id);
  return refuse(internalError, "The service failed; the fault has been logged under the request id.");
}

const slots = { permissions: "permissions", evaluation_gate: "gate", compliance: "compliance" } as const;

/** The stage that refused says so in the record, whatever it had found before. */
function noteRefusal(progress: Attempt["progress"], { type, details }: Refusal): void {
  const stage = details.stage ?? (type.status === 401 || type.status === 429 ? "permissions" : undefined);
  if (stage === undefined || stage === "audit") return;
  const said = progress[slots[stage]];
  const reasons = said.verdict === "not_reached" ? [] : said.reasons;
  progress[slots[stage]] = {
    stage,
    verdict: "deny",
    reasons: [...reasons, type.code],
    policy_version: said.policy_version,
  };
}
