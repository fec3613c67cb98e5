import { type Meter, secondsBuckets, shortBuckets } from "../kernel/metrics.ts";
import { membersOf } from "../kernel/stored-json.ts";
import { inSpan, type Span, type Tracer } from "../kernel/tracing.ts";
import type { CallWatch, EndedCall, StageTimes } from "../pipeline/watch.ts";

export interface CallLog {
  isLevelEnabled(level: string): boolean;
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface CallWatchParts {
  readonly tracer: Tracer | null;
  readonly meter: Meter;
  readonly log: CallLog;
  /** The id of the operation that puts a running task back into the queue. */
  readonly requeueTask: string;
}

/** Tells of calls: their stages as parts of their span, their counts and times as metrics, those that the service failed at in the log, all at `debug`. */
export function createCallWatch({ tracer, meter, log, requeueTask }: CallWatchParts): CallWatch {
  const count = createCallMetrics(meter, requeueTask);
  const everyCall = log.isLevelEnabled("debug");
  let begun = 0;
  let over = 0;
  meter.gauge({ name: "aos_calls_in_flight", help: "Calls that have begun and not ended.", labels: [] }, () => [
    [[], begun - over],
  ]);
  return {
    traceparent: () => tracer?.active()?.traceparent ?? null,
    run(operation, call, work) {
      begun++;
      if (tracer === null || doorOf(call) === "http") return work();
      // What machines do by themselves has no cause that anybody would look for: it is part of a trace, or of none.
      return tracer.active() === null ? work() : inSpan(tracer, { name: operation }, work);
    },
    ended(ended) {
      over++;
      const now = performance.now();
      count(ended, now);
      const span = tracer?.active();
      if (span?.recorded) tell(span, ended, now);
      if (ended.status >= 500) log.warn(lineOf(ended, now), "a call failed");
      else if (everyCall) log.debug(lineOf(ended, now), "a call");
    },
  };
}

const doorOf = ({ batch, credential }: EndedCall["call"]): "http" | "batch" | "inside" =>
  batch !== null ? "batch" : credential.kind === "inside" ? "inside" : "http";

/** A call as one line of the log: who did what and what came of it, nothing of what was said. */
function lineOf({ operation, call, progress, times, status, code }: EndedCall, now: number): object {
  return {
    request_id: call.requestId,
    operation,
    environment: progress.scope?.environment ?? null,
    principal: progress.principal.id,
    status,
    ...(code === null ? {} : { code }),
    duration_ms: Math.round((now - times.began) * 1000) / 1000,
    audit_ref: progress.auditRef,
  };
}

const stages = ["permissions", "input", "evaluation_gate", "compliance", "handle", "audit"] as const;
type Stage = (typeof stages)[number];
interface Part {
  readonly stage: Stage;
  readonly from: number;
  readonly to: number;
  readonly refused: boolean;
}

/** The parts of a call that it reached, in their order. Where it was refused the part that refused it ends, and the record of that begins. */
export function partsOf(times: StageTimes, now: number): Part[] {
  const { began, permitted, read, governs, gated, complied, handles, handled, refused } = times;
  const parts: Part[] = [];
  const add = (stage: Stage, from: number, to: number): void => {
    if (from > 0) parts.push({ stage, from, to: to || refused || now, refused: to === 0 && refused > 0 });
  };
  add("permissions", began, permitted);
  add("input", permitted, read);
  add("evaluation_gate", governs, gated);
  add("compliance", gated, complied);
  add("handle", handles, handled);
  add("audit", refused || handled || complied || read, now);
  return parts;
}

/** What a span says of a call. Ids and codes; the object only where the call came about, since it may hold what a caller wrote in the path. */
function tell(span: Span, ended: EndedCall, now: number): void {
  const { operation, call, progress, times, status, code, object } = ended;
  span.set({
    "aos.operation": operation,
    "aos.request_id": call.requestId,
    "aos.audit_ref": progress.auditRef,
    "aos.environment": progress.scope?.environment,
    "aos.principal": progress.principal.id,
    ...(code === null ? { "aos.object": object ?? undefined } : { "aos.problem": code }),
  });
  if (status >= 500) span.fail(code ?? String(status));
  const verdicts: Partial<Record<Stage, string>> = {
    permissions: progress.permissions.verdict,
    evaluation_gate: progress.gate.verdict,
    compliance: progress.compliance.verdict,
  };
  for (const { stage, from, to, refused } of partsOf(times, now)) {
    const verdict = verdicts[stage];
    span.part(
      stage,
      from,
      to,
      verdict === undefined ? {} : { "aos.verdict": verdict },
      refused ? (code ?? "refused") : undefined,
    );
  }
}

/** The metrics of calls, and of what their commits brought about. */
function createCallMetrics(meter: Meter, requeueTask: string): (ended: EndedCall, now: number) => void {
  const calls = meter.counter({
    name: "aos_calls_total",
    labels: ["operation", "door", "status"],
    most: 2_000,
    help: "Calls that have ended: of HTTP, items of batches, and of the service's own machines.",
  });
  const durations = meter.histogram({
    name: "aos_call_duration_seconds",
    labels: ["operation", "door"],
    buckets: secondsBuckets,
    help: "From the request to the response, record included; what a stream sends comes after.",
  });
  const stage = meter.histogram({
    name: "aos_stage_duration_seconds",
    labels: ["stage"],
    buckets: shortBuckets,
    help: "Time of calls in each part of the pipeline.",
  });
  const decisions = meter.counter({
    name: "aos_decisions_total",
    labels: ["stage", "verdict", "environment"],
    help: "What permissions, evaluation gate and policies said of calls.",
  });
  const refusals = meter.counter({
    name: "aos_refusals_total",
    labels: ["code"],
    help: "Calls that ended with a problem, by its code.",
  });
  const happened = createEventMetrics(meter, requeueTask);
  const stageLabels = new Map(stages.map((name) => [name, [name]] as const));
  return (ended, now) => {
    const { operation, call, progress, times, status, code } = ended;
    const door = doorOf(call);
    const environment = progress.scope?.environment ?? "none";
    calls.add([operation, door, String(status)]);
    durations.observe([operation, door], (now - times.began) / 1000);
    for (const { stage: name, from, to } of partsOf(times, now))
      stage.observe(stageLabels.get(name) as readonly string[], (to - from) / 1000);
    decisions.add(["permissions", progress.permissions.verdict, environment]);
    decisions.add(["evaluation_gate", progress.gate.verdict, environment]);
    decisions.add(["compliance", progress.compliance.verdict, environment]);
    if (code !== null) refusals.add([code]);
    happened(ended, environment);
  };
}

function createEventMetrics(meter: Meter, requeueTask: string): (ended: EndedCall, environment: string) => void {
  const events = meter.counter({
    name: "aos_events_total",
    labels: ["event", "environment"],
    help: "Events that calls stored, by type: among them every transition of a task that subscribers hear of.",
  });
  const decided = meter.counter({
    name: "aos_approvals_decided_total",
    labels: ["decision", "environment"],
    help: "What people decided.",
  });
  const requeued = meter.counter({
    name: "aos_tasks_requeued_total",
    labels: ["why", "environment"],
    help: "Running tasks that went back to the queue: their lease lapsed, or their worker gave them back.",
  });
  return ({ events: stored, operation, progress, code }, environment) => {
    for (const { type, body } of stored) {
      events.add([type, environment]);
      if (type === "approval.decided") decided.add([String(membersOf(body).decision), environment]);
    }
    if (operation !== requeueTask || code !== null) return;
    requeued.add([progress.principal.id === "system:sweeper" ? "lease_lapsed" : "given_back", environment]);
  };
}
