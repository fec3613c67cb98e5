import type { RunDetail, RunStep, WorkflowRun } from "../../../api/workflow-types.ts";
import { duration, usd } from "../../../lib/words.ts";
import type { NodeLook } from "../graph/looks.ts";

export const openStatuses = ["queued", "running", "waiting", "paused", "compensating"] as const;
export const endedStatuses = ["completed", "failed", "cancelled", "compensated", "compensation_failed"] as const;

export const isOpen = ({ status }: Pick<WorkflowRun, "status">): boolean =>
  (openStatuses as readonly string[]).includes(status);

/** How long something took, or takes until now; null: it has not begun. */
export function took(started: string | null, finished: string | null, now: number): string | null {
  if (started === null) return null;
  return duration(Math.max(0, (finished === null ? now : Date.parse(finished)) - Date.parse(started)));
}

/** What the picture says of a step of a run beside its state. */
export function noteOf(step: RunStep): string {
  const { items, attempt, cost_usd: cost } = step;
  return [
    items && `${items.completed} of ${items.total}${items.failed > 0 ? `, ${items.failed} failed` : ""}`,
    attempt > 1 && `attempt ${attempt}`,
    cost !== null && cost > 0 && usd(cost),
  ]
    .filter(Boolean)
    .join(" · ");
}

export function lookOf(step: RunStep | undefined): NodeLook {
  return { status: standingOf(step), ...(step && { note: noteOf(step) }) };
}

const isAsked = ({ kind }: NonNullable<RunStep["held_by"]>): boolean => kind === "approval" || kind === "question";

/** A step that could not be undone is no success, although it completed. */
export function standingOf(step: RunStep | null | undefined): string {
  if (step?.undo === "failed") return "compensation_failed";
  if (step?.undo === "running") return "compensating";
  if (step?.held_by) return isAsked(step.held_by) ? "awaiting_people" : "held";
  return step?.status ?? "pending";
}

/** What a step called: the values of its action, by the name that people know them under. */
export function calledWith(action: unknown): readonly [label: string, value: unknown] | null {
  if (typeof action !== "object" || action === null) return null;
  const { kind, ...rest } = action as Record<string, unknown>;
  if (kind === "tool") return ["Arguments", rest.arguments];
  // The approval itself shows what people decide about.
  if (kind === "approval") return null;
  if (kind === "loop") return ["Items", rest.items];
  return ["Input", rest.input ?? rest];
}

/** Steps from which a run may go on: whatever has begun and is over. */
export const retriable = ({ steps }: Pick<RunDetail, "steps">): readonly RunStep[] =>
  steps.filter(({ status }) => !["pending", "running", "waiting"].includes(status));

/** Where a run came from, in a few words. */
export const triggerWords: Readonly<Record<WorkflowRun["trigger"], string>> = {
  manual: "Started by hand",
  schedule: "Started by a schedule",
  event: "Started by an event",
  hook: "Started by a hook",
  workflow: "Started by another run",
  mission: "Started by a mission",
  retry: "Repeats an earlier run",
};
