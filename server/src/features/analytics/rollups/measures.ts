// Which figures there are: what rollups keep of each family of things, and which measures are made from it. Everything else of the slice reads this.

export type Family = "tasks" | "steps" | "approvals" | "violations" | "deliveries";

/** Labels that an environment may declare as dimensions, and values that each may take before `other`. */
export const mostLabels = 5;
export const mostLabelValues = 1_000;
export const mostValues = 60_000;

/** Dimensions by family, in the order in which rollups keep them; declared labels follow (`label:<name>`) where a family has them. */
export const familyDimensions = {
  /** `status`: the task's, `open` while it has none that is final; `model`: `<provider>/<name>` of its version; `origin`: call, conversation, workflow or mission. */
  tasks: ["agent", "version", "skill", "model", "key", "member", "risk", "status", "origin"],
  /** What tasks did: `kind` is model or tool, `name` the model's or the tool's. */
  steps: ["agent", "version", "skill", "kind", "name"],
  /** `decision`: the approval's state; `approver`: who decided. */
  approvals: ["agent", "version", "skill", "risk", "tool", "decision", "approver"],
  violations: ["agent", "policy", "kind", "reason", "action", "key", "member"],
  deliveries: ["webhook", "event", "state"],
} as const satisfies Record<Family, readonly string[]>;

export const labelled: ReadonlySet<Family> = new Set<Family>(["tasks", "steps", "approvals"]);

export type Dimension = (typeof familyDimensions)[Family][number] | `label:${string}`;

/**
 * Sums that rollups keep, all whole numbers so that adding and taking back is exact: `n` counts rows; money in billionths of a dollar, times in milliseconds, shares
 * and scores in ten thousandths. A task stands in the minute in which it was dispatched, its steps too; an approval in the minute in which it was asked for.
 */
export const familySums = {
  tasks: [
    "n",
    "ended",
    "cost",
    "tokens",
    "steps",
    "tool_calls",
    "approvals",
    "edited",
    "trust",
    "duration_ms",
    "queued",
    "queue_ms",
    "judged",
    "accepted",
    "judged_trust",
    "squared_error",
  ],
  steps: ["n", "failed", "cost", "tokens", "duration_ms"],
  approvals: [
    "n",
    "decided",
    "approved",
    "rejected",
    "sent_back",
    "overridden",
    "expired",
    "edited",
    "quick",
    "decide_ms",
    "judged",
    "agreed",
  ],
  violations: ["n", "blocked", "would_have", "warned"],
  deliveries: ["n", "delivered", "failed", "attempts"],
} as const satisfies Record<Family, readonly string[]>;

/**
 * Bins that rollups keep. Those of times are of a DDSketch with a relative error of 1 %; `judged_trust`, `accepted` and `trust` are by tenths of the trust score of
 * judged tasks (number, accepted in ten thousandths, score in ten thousandths), for the error of calibration.
 */
export const familyBins = {
  tasks: ["duration", "queue_time", "judged_bin", "accepted_bin", "trust_bin"],
  steps: ["duration"],
  approvals: ["time_to_decide"],
  violations: [],
  deliveries: ["latency"],
} as const satisfies Record<Family, readonly string[]>;

type Sum = (typeof familySums)[Family][number];
type Bin = (typeof familyBins)[Family][number];

interface Only {
  readonly dimension: string;
  readonly values: readonly string[];
}

/** How a measure is made of sums and bins. `scale`: what a unit of the sum is of the measure's unit. */
export type Formula =
  /** `less`: what is taken off, such as blocks by something else. */
  | { readonly kind: "sum"; readonly of: Sum; readonly scale?: number; readonly only?: Only; readonly less?: Only }
  /** A share; its interval is Wilson's, 95 %. `over` 10,000 where the counts are in ten thousandths. */
  | {
      readonly kind: "rate";
      readonly of: Sum;
      readonly by: Sum;
      readonly over?: number;
      readonly only?: Only;
      readonly among?: Only;
    }
  | { readonly kind: "mean"; readonly of: Sum; readonly by: Sum; readonly scale?: number }
  | { readonly kind: "quantile"; readonly of: Bin; readonly at: number; readonly scale?: number }
  | { readonly kind: "calibration" };

export interface Measure {
  readonly family: Family;
  readonly unit: "count" | "share" | "usd" | "tokens" | "seconds" | "score";
  readonly about: string;
  readonly formula: Formula;
  /** Whether more of it is better; null: neither. */
  readonly better: "more" | "less" | null;
}

const status = (...values: string[]): Only => ({ dimension: "status", values });
export const finalStates = status("completed", "failed", "rejected", "expired", "blocked", "cancelled");

/** By what calls and actions are blocked that is no policy: the code of the refusal. Everything else that blocks is a policy, by a code of its own. */
export const blockSources = {
  pause: ["agent_paused"],
  kill_switch: ["kill_switch_engaged"],
  gate: ["evaluation_gate_failed"],
  budget: ["budget_exhausted"],
} as const;
const count = (family: Family, of: Sum, about: string, better: Measure["better"] = null, only?: Only): Measure => ({
  family,
  unit: "count" as const,
  about,
  better,
  formula: { kind: "sum", of, ...(only && { only }) },
});
const blockedBy = (source: keyof typeof blockSources, about: string): Measure =>
  count("violations", "blocked", about, "less", { dimension: "reason", values: blockSources[source] });

/** How many cases a quantile needs, so that more than one lies beyond it. Of fewer it is no figure. */
export const leastOfQuantile = (at: number): number => (at <= 0.5 ? 5 : at <= 0.9 ? 20 : 100);

const seconds = (family: Family, of: Bin, at: number, about: string): Measure => ({
  family,
  unit: "seconds" as const,
  about,
  better: "less" as const,
  formula: { kind: "quantile", of, at, scale: 0.001 },
});
const share = (
  family: Family,
  formula: Omit<Extract<Formula, { kind: "rate" }>, "kind">,
  about: string,
  better: Measure["better"],
): Measure => ({ family, unit: "share" as const, about, better, formula: { kind: "rate", ...formula } });

export const measures = {
  tasks: count("tasks", "n", "Tasks dispatched."),
  completed: count("tasks", "n", "Tasks that completed.", "more", status("completed")),
  failed: count("tasks", "n", "Tasks that failed.", "less", status("failed")),
  rejected: count("tasks", "n", "Tasks that people rejected.", "less", status("rejected")),
  open: count("tasks", "n", "Tasks that have not ended.", null, status("open")),
  success_rate: share(
    "tasks",
    { of: "n", by: "n", only: status("completed"), among: finalStates },
    "Completed among ended tasks.",
    "more",
  ),
  judged: count(
    "tasks",
    "judged",
    "Tasks whose outcome was judged: by feedback, review, approval of an outcome, or a failed run.",
  ),
  accepted_rate: share("tasks", { of: "accepted", by: "judged", over: 10_000 }, "Accepted among judged tasks.", "more"),
  trust_mean: {
    family: "tasks",
    unit: "score",
    about: "Mean trust score.",
    better: "more",
    formula: { kind: "mean", of: "trust", by: "n", scale: 0.0001 },
  },
  trust_calibration_error: {
    family: "tasks",
    unit: "score",
    about: "How far trust scores of judged tasks are from what was accepted, by tenths of the score.",
    better: "less",
    formula: { kind: "calibration" },
  },
  cost_usd: {
    family: "tasks",
    unit: "usd",
    about: "What tasks cost.",
    better: "less",
    formula: { kind: "sum", of: "cost", scale: 1e-9 },
  },
  cost_per_task: {
    family: "tasks",
    unit: "usd",
    about: "Cost of a task, on average.",
    better: "less",
    formula: { kind: "mean", of: "cost", by: "n", scale: 1e-9 },
  },
  cost_per_accepted: {
    family: "tasks",
    unit: "usd",
    about: "Cost of all judged and unjudged tasks for each that was accepted.",
    better: "less",
    formula: { kind: "mean", of: "cost", by: "accepted", scale: 1e-5 },
  },
  tokens: {
    family: "tasks",
    unit: "tokens",
    about: "Tokens of models.",
    better: null,
    formula: { kind: "sum", of: "tokens" },
  },
  steps: count("tasks", "steps", "Turns of models and calls of tools."),
  tool_calls: count("tasks", "tool_calls", "Calls of tools."),
  duration_p50: seconds("tasks", "duration", 0.5, "From dispatch to end, median."),
  duration_p90: seconds("tasks", "duration", 0.9, "From dispatch to end, 90th percentile."),
  duration_p99: seconds("tasks", "duration", 0.99, "From dispatch to end, 99th percentile."),
  queue_time_p50: seconds("tasks", "queue_time", 0.5, "From dispatch to start, median."),
  queue_time_p90: seconds("tasks", "queue_time", 0.9, "From dispatch to start, 90th percentile."),
  queue_time_p99: seconds("tasks", "queue_time", 0.99, "From dispatch to start, 99th percentile."),
  approvals: count("approvals", "n", "Approvals asked for."),
  decided: count("approvals", "decided", "Approvals that people decided."),
  time_to_decide_p50: seconds("approvals", "time_to_decide", 0.5, "From asking to decision, median."),
  time_to_decide_p90: seconds("approvals", "time_to_decide", 0.9, "From asking to decision, 90th percentile."),
  edit_rate: share("approvals", { of: "edited", by: "decided" }, "Edited before approval, among decided ones.", "less"),
  override_rate: share(
    "approvals",
    { of: "overridden", by: "decided" },
    "Rejected or sent back, among decided ones.",
    "less",
  ),
  expiry_rate: share("approvals", { of: "expired", by: "n" }, "Expired, among those asked for.", "less"),
  quick_rate: share(
    "approvals",
    { of: "quick", by: "approved" },
    "Approved within five seconds, among approved ones.",
    "less",
  ),
  agreement: share(
    "approvals",
    { of: "agreed", by: "judged" },
    "Approvals whose task was accepted later, among those whose task was judged.",
    "more",
  ),
  blocked: count("violations", "blocked", "Calls and actions that were blocked, by whatever.", "less"),
  policy_denials: {
    family: "violations",
    unit: "count",
    about: "Calls and actions that policies blocked.",
    better: "less",
    formula: {
      kind: "sum",
      of: "blocked",
      less: { dimension: "reason", values: Object.values(blockSources).flat() },
    },
  },
  pause_blocks: blockedBy("pause", "Calls and actions that pauses of agents blocked."),
  kill_switch_blocks: blockedBy("kill_switch", "Calls and actions that kill switches blocked."),
  gate_blocks: blockedBy("gate", "Calls and actions that evaluation gates blocked."),
  budget_blocks: blockedBy("budget", "Calls and actions that used-up budgets blocked."),
  violations: count("violations", "n", "Blocked, warned of, or blocked if a shadow policy were active.", "less"),
  tool_uses: count("steps", "n", "Steps of tasks: turns of models and calls of tools, by name."),
  step_failures: share("steps", { of: "failed", by: "n" }, "Failed among steps.", "less"),
  step_cost_usd: {
    family: "steps",
    unit: "usd",
    about: "What steps cost.",
    better: "less",
    formula: { kind: "sum", of: "cost", scale: 1e-9 },
  },
  step_tokens: {
    family: "steps",
    unit: "tokens",
    about: "Tokens of steps.",
    better: null,
    formula: { kind: "sum", of: "tokens" },
  },
  step_duration_p50: seconds("steps", "duration", 0.5, "Duration of a step, median."),
  step_duration_p90: seconds("steps", "duration", 0.9, "Duration of a step, 90th percentile."),
  deliveries: count("deliveries", "n", "Webhook deliveries."),
  delivery_success: share("deliveries", { of: "delivered", by: "n" }, "Delivered among webhook deliveries.", "more"),
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as [MeasureName, ...MeasureName[]];
