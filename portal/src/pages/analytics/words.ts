import { duration, percent, spoken, usd } from "../../lib/words.ts";

export type Unit = "count" | "share" | "usd" | "tokens" | "seconds" | "score";

interface Words {
  readonly title: string;
  readonly unit: Unit;
  /** Whether more of it is better; left out: neither. */
  readonly better?: "more" | "less";
}

const of =
  (unit: Unit) =>
  (title: string, better?: "more" | "less"): Words => ({ title, unit, ...(better ? { better } : {}) });
const [count, share, money, seconds] = [of("count"), of("share"), of("usd"), of("seconds")];

/** Measures as people say them. One that is missing here is said by its name. */
const measures: Readonly<Record<string, Words>> = {
  tasks: count("Tasks"),
  completed: count("Completed", "more"),
  failed: count("Failed", "less"),
  rejected: count("Rejected", "less"),
  open: count("Open"),
  success_rate: share("Success rate", "more"),
  judged: count("Judged"),
  accepted_rate: share("Accepted", "more"),
  trust_mean: { title: "Mean trust", unit: "score", better: "more" },
  trust_calibration_error: { title: "Calibration error", unit: "score", better: "less" },
  cost_usd: money("Cost", "less"),
  cost_per_task: money("Cost per task", "less"),
  cost_per_accepted: money("Cost per accepted", "less"),
  tokens: { title: "Tokens", unit: "tokens" },
  steps: count("Steps"),
  tool_calls: count("Tool calls"),
  duration_p50: seconds("Duration, median", "less"),
  duration_p90: seconds("Duration, p90", "less"),
  duration_p99: seconds("Duration, p99", "less"),
  queue_time_p50: seconds("Queued, median", "less"),
  queue_time_p90: seconds("Queued, p90", "less"),
  queue_time_p99: seconds("Queued, p99", "less"),
  approvals: count("Approvals"),
  decided: count("Decided"),
  time_to_decide_p50: seconds("Time to decide, median", "less"),
  time_to_decide_p90: seconds("Time to decide, p90", "less"),
  edit_rate: share("Edited", "less"),
  override_rate: share("Overridden", "less"),
  expiry_rate: share("Expired", "less"),
  quick_rate: share("Approved within 5 s", "less"),
  agreement: share("Agreement", "more"),
  blocked: count("Blocked", "less"),
  policy_denials: count("Blocked by policies", "less"),
  pause_blocks: count("Blocked by pauses", "less"),
  kill_switch_blocks: count("Blocked by kill switches", "less"),
  gate_blocks: count("Blocked by gates", "less"),
  budget_blocks: count("Blocked by budgets", "less"),
  violations: count("Violations", "less"),
  handovers: count("Handed to people"),
  waiting: count("Waiting now", "less"),
  waiting_p50: seconds("Waiting, median", "less"),
  waiting_p90: seconds("Waiting, p90", "less"),
  first_answer_p50: seconds("First answer, median", "less"),
  first_answer_p90: seconds("First answer, p90", "less"),
  breached_rate: share("Breached", "less"),
  tool_uses: count("Uses"),
  step_failures: share("Failed", "less"),
  step_cost_usd: money("Cost", "less"),
  step_tokens: { title: "Tokens", unit: "tokens" },
  step_duration_p50: seconds("Duration, median", "less"),
  step_duration_p90: seconds("Duration, p90", "less"),
  deliveries: count("Deliveries"),
  delivery_success: share("Delivered", "more"),
};

export const measureNames = Object.keys(measures);
export const titleOf = (name: string): string => measures[name]?.title ?? spoken(name);
export const betterOf = (name: string): "more" | "less" | undefined => measures[name]?.better;
export const unitOf = (name: string): Unit =>
  measures[name]?.unit ?? (/_usd$/.test(name) ? "usd" : /_rate$|_share$/.test(name) ? "share" : "count");

const few = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A share to the digit that its interval can tell. */
const shareText = (value: number): string =>
  value > 0 && value < 0.01 ? `${few.format(value * 100)} %` : percent(value);

/** A value with its unit. */
export function valueText(value: number, unit: Unit): string {
  if (unit === "share") return shareText(value);
  if (unit === "score") return value.toFixed(value < 0.1 ? 3 : 2);
  if (unit === "usd") return value < 0 ? `−${usd(-value)}` : usd(value);
  if (unit === "seconds") return duration(value * 1000);
  return Math.abs(value) >= 100_000 ? short.format(value) : few.format(value);
}

export const measureText = (name: string, value: number): string => valueText(value, unitOf(name));

/** How a measure changed, and whether that is good news; null where there is nothing to compare. */
export function change(
  name: string,
  value: number | null,
  previous: number | null,
): { readonly text: string; readonly tone: "good" | "bad" | "neutral" } | null {
  if (value === null || previous === null) return null;
  const unit = unitOf(name);
  const by = value - previous;
  const points = unit === "share";
  if (Math.abs(points ? by * 100 : previous === 0 ? by : by / previous) < (points ? 0.5 : 0.005))
    return { text: "unchanged", tone: "neutral" };
  if (!points && previous === 0) return { text: "from 0", tone: "neutral" };
  const size = points
    ? `${few.format(Math.abs(by) * 100)} points`
    : unit === "score"
      ? Math.abs(by).toFixed(2)
      : ratioText(Math.abs(by / previous));
  const better = betterOf(name);
  const tone = better === undefined ? "neutral" : by > 0 === (better === "more") ? "good" : "bad";
  return { text: `${by > 0 ? "▲" : "▼"} ${size}`, tone };
}

const ratioText = (share: number): string => (share >= 10 ? `${few.format(share)} ×` : percent(share));

const dimensions: Readonly<Record<string, string>> = {
  agent: "Agent",
  version: "Version",
  skill: "Skill",
  model: "Model",
  key: "Key",
  member: "Member",
  risk: "Risk",
  status: "State",
  origin: "Origin",
  kind: "Kind",
  name: "Name",
  tool: "Tool",
  decision: "Decision",
  approver: "Approver",
  policy: "Policy",
  reason: "Reason",
  action: "Action",
  webhook: "Endpoint",
  event: "Event",
  state: "State",
};

export const dimensionTitle = (name: string): string =>
  dimensions[name] ?? (name.startsWith("label:") ? `Label ${name.slice("label:".length)}` : spoken(name));

/** A value of a dimension. */
export const dimensionText = (value: string | null): string => value ?? "none";
