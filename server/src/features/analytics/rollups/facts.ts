import { binOf, type Hit, tenthOf } from "@aos/rollup";
import type { ApprovalSource, DeliverySource, StepSource, TaskSource, ViolationSource } from "./fact-sources.ts";
import { type LabelColumns, labelValue, timeOfSource } from "./families.ts";
import { type Family, familyBins, familyDimensions, familySums } from "./measures.ts";

// What a row contributes to the rollups: a pure function of it, so that rollups are sums of these and can be recomputed at any time.

interface FactOf<F extends Family> {
  readonly family: F;
  readonly dims: Readonly<Record<(typeof familyDimensions)[F][number], string | null>>;
  /** By column; null: the task has no such label, or it is no longer declared. */
  readonly labels: readonly (string | null)[];
  readonly sums: Readonly<Partial<Record<(typeof familySums)[F][number], number>>>;
  readonly bins: Readonly<Partial<Record<(typeof familyBins)[F][number], readonly Hit[]>>>;
}

export type Fact = { [F in Family]: FactOf<F> }[Family];

const finalStates = new Set(["completed", "failed", "rejected", "expired", "blocked", "cancelled"]);
export const hasEnded = ({ status }: Pick<TaskSource, "status">): boolean => finalStates.has(status);

const count = (holds: boolean): number => (holds ? 1 : 0);
const billionths = (usd: number): number => Math.round(usd * 1e9);
const tenThousandths = (share: number): number => Math.round(share * 10_000);
/** Milliseconds from a source's time; clocks of several machines may differ a little. */
const since = (source: string, at: number): number => Math.max(0, Math.round(at - timeOfSource(source)));
const hit = (value: number | null): Hit[] => (value === null ? [] : [[binOf(value), 1]]);

const labelsOf = (labels: readonly string[], { names, declared }: LabelColumns): (string | null)[] =>
  names.map((name) => (declared.has(name) ? labelValue(labels, name) : null));

/** What a task and its steps contribute. While it is open that it was dispatched and what it has cost; all else when it has ended. */
export function taskFacts(
  task: TaskSource,
  model: string | null,
  steps: readonly StepSource[],
  approvals: readonly ApprovalSource[],
  columns: LabelColumns,
): Fact[] {
  const ended = hasEnded(task);
  const labels = labelsOf(task.labels, columns);
  const own = taskFact({ task, model, steps, approvals }, ended, labels);
  return [own, ...(ended ? stepFacts(task, steps, labels) : openStepFacts(task, steps, labels))];
}

interface TaskParts {
  readonly task: TaskSource;
  readonly model: string | null;
  readonly steps: readonly StepSource[];
  readonly approvals: readonly ApprovalSource[];
}

function taskFact(
  { task, model, steps, approvals }: TaskParts,
  ended: boolean,
  labels: Fact["labels"],
): FactOf<"tasks"> {
  const duration = ended && task.finished !== null ? since(task.id, task.finished) : null;
  const queued = ended && task.started !== null ? since(task.id, task.started) : null;
  const judged = judgement(task);
  return {
    family: "tasks",
    dims: {
      agent: task.agent,
      version: task.version_id,
      skill: task.skill,
      model,
      key: task.key_id,
      member: task.principal,
      risk: task.risk_level,
      status: ended ? task.status : "open",
      origin: task.origin,
    },
    labels,
    sums: {
      n: 1,
      trust: tenThousandths(task.trust_score),
      approvals: approvals.length,
      edited: count(approvals.some(({ edited_by }) => edited_by !== null)),
      cost: billionths(task.cost_usd),
      ...(ended && {
        ended: 1,
        tokens: task.tokens,
        steps: steps.length,
        tool_calls: steps.filter(({ kind }) => kind === "tool").length,
        duration_ms: duration ?? 0,
        queued: count(queued !== null),
        queue_ms: queued ?? 0,
      }),
      ...judged.sums,
    },
    bins: { duration: hit(duration), queue_time: hit(queued), ...judged.bins },
  };
}

function judgement({ outcome, trust_score }: TaskSource): Pick<FactOf<"tasks">, "sums" | "bins"> {
  if (outcome === null) return { sums: {}, bins: {} };
  const [accepted, trust] = [tenThousandths(outcome), tenThousandths(trust_score)];
  const tenth = tenthOf(trust);
  return {
    sums: { judged: 1, accepted, judged_trust: trust, squared_error: tenThousandths((trust_score - outcome) ** 2) },
    bins: { judged_bin: [[tenth, 1]], accepted_bin: hits(tenth, accepted), trust_bin: hits(tenth, trust) },
  };
}
const hits = (bin: number, times: number): Hit[] => (times === 0 ? [] : [[bin, times]]);

function stepFacts(task: TaskSource, steps: readonly StepSource[], labels: Fact["labels"]): FactOf<"steps">[] {
  const { agent, version_id: version, skill } = task;
  return [...Map.groupBy(steps, ({ kind, name }) => `${kind} ${name}`).values()].map((some) => {
    const { kind, name } = some[0] as StepSource;
    const took = some.flatMap((step) => (step.took === null ? [] : [Math.max(0, step.took)]));
    const sum = (of: (step: StepSource) => number): number => some.reduce((all, step) => all + of(step), 0);
    return {
      family: "steps",
      dims: { agent, version, skill, kind, name },
      labels,
      sums: {
        n: some.length,
        failed: some.filter(({ state }) => state === "failed" || state === "unknown").length,
        cost: sum((step) => billionths(step.cost_usd)),
        tokens: sum(({ tokens }) => tokens),
        duration_ms: took.reduce((all, one) => all + one, 0),
      },
      bins: { duration: binned(took) },
    };
  });
}

/** Of an open task only what has cost something: each charge is a change of the task, the other steps are none until it ends. */
function openStepFacts(task: TaskSource, steps: readonly StepSource[], labels: Fact["labels"]): FactOf<"steps">[] {
  const charged = steps.filter(({ cost_usd }) => cost_usd > 0);
  return stepFacts(task, charged, labels).map(({ sums: { n = 0, cost = 0 }, ...fact }) => ({
    ...fact,
    sums: { n, cost },
    bins: {},
  }));
}

function binned(values: readonly number[]): Hit[] {
  const times = new Map<number, number>();
  for (const value of values) times.set(binOf(value), (times.get(binOf(value)) ?? 0) + 1);
  return [...times].sort(([a], [b]) => a - b);
}

export const approvedStates = new Set(["approved", "consumed", "stale"]);
export const sentBackStates = new Set(["changes_requested"]);
/** An approval within this time is a quick one. */
const quickMs = 5_000;
/** From here on an outcome counts as accepted where only yes or no is asked. */
export const acceptedFrom = 0.5;

/** What an approval contributes. Whether people were right says what was judged of its task by other means than approvals. */
export function approvalFacts(approval: ApprovalSource, task: TaskSource, columns: LabelColumns): Fact[] {
  const { status } = approval;
  // Only people's decisions count: an approval that the service ended took nobody's time.
  const byPeople = !approval.decided_by?.startsWith("system:");
  const approved = byPeople && approvedStates.has(status);
  const rejected = byPeople && status === "rejected";
  const sentBack = byPeople && sentBackStates.has(status);
  const decided = approved || rejected || sentBack;
  const took = decided && approval.decided !== null ? since(approval.id, approval.decided) : null;
  const judged = approved && task.outcome !== null && task.judged_by !== "approval";
  const fact: FactOf<"approvals"> = {
    family: "approvals",
    dims: {
      agent: approval.agent,
      version: approval.version_id,
      skill: approval.skill,
      risk: approval.risk_level,
      tool: approval.tool,
      decision: status,
      approver: decided ? approval.decided_by : null,
    },
    labels: labelsOf(task.labels, columns),
    sums: {
      n: 1,
      decided: count(decided),
      approved: count(approved),
      rejected: count(rejected),
      sent_back: count(sentBack),
      overridden: count(rejected || sentBack),
      expired: count(status === "expired"),
      edited: count(decided && approval.edited_by !== null),
      quick: count(approved && took !== null && took <= quickMs),
      decide_ms: took ?? 0,
      judged: count(judged),
      agreed: count(judged && (task.outcome as number) >= acceptedFrom),
    },
    bins: { time_to_decide: hit(took) },
  };
  return [fact];
}

export function violationFacts(violation: ViolationSource): Fact[] {
  const { kind } = violation;
  const fact: FactOf<"violations"> = {
    family: "violations",
    dims: {
      agent: violation.agent,
      policy: violation.source,
      kind,
      reason: violation.reason_code,
      action: violation.action,
      key: violation.key_id,
      member: violation.principal,
    },
    labels: [],
    sums: {
      n: 1,
      blocked: count(kind === "blocked"),
      warned: count(kind === "warned"),
      would_have: count(kind === "would_block" || kind === "would_wait"),
    },
    bins: {},
  };
  return [fact];
}

export function deliveryFacts(delivery: DeliverySource): Fact[] {
  const { state, attempts } = delivery;
  const delivered = state === "delivered";
  const took = delivered && delivery.finished !== null ? since(delivery.id, delivery.finished) : null;
  const fact: FactOf<"deliveries"> = {
    family: "deliveries",
    dims: { webhook: delivery.webhook_id, event: delivery.type, state },
    labels: [],
    sums: {
      n: 1,
      delivered: count(delivered),
      failed: count(state === "failed"),
      attempts: state === "pending" ? 0 : attempts,
    },
    bins: { latency: hit(took) },
  };
  return [fact];
}

export interface FactColumns {
  readonly family: Family;
  readonly dims: readonly (string | null)[];
  readonly labels: readonly (string | null)[];
  readonly sums: readonly number[];
  readonly bins: readonly (readonly Hit[])[];
}

export function columnsOfFact({ family, dims, labels, sums, bins }: Fact): FactColumns {
  const value = <T>(of: object, name: string): T | undefined => (of as Record<string, T>)[name];
  return {
    family,
    dims: familyDimensions[family].map((name) => value<string | null>(dims, name) ?? null),
    labels,
    sums: familySums[family].map((name) => value<number>(sums, name) ?? 0),
    bins: familyBins[family].map((name) => value<readonly Hit[]>(bins, name) ?? []),
  };
}
