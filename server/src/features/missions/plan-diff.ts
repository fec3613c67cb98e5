import { isDeepStrictEqual } from "node:util";
import type { PlanRow } from "./plan-store.ts";
import type { PlanDiff, PlanStep } from "./schemas.ts";
import { dollars } from "./spend-store.ts";

const compared = ["title", "agent", "skill", "inputs", "depends_on", "require_approval", "attempts", "tasks"] as const;

/** What a version of a plan does otherwise than the one before. Estimates move by themselves and are no change. */
export function diffOf(before: PlanRow, after: PlanRow): PlanDiff {
  const [old, now] = [before.plan, after.plan];
  const find = (steps: readonly PlanStep[], id: string) => steps.find((step) => step.id === id);
  return {
    against: before.number,
    added: now.steps.filter(({ id }) => !find(old.steps, id)).map(({ id }) => id),
    removed: old.steps.filter(({ id }) => !find(now.steps, id)).map(({ id }) => id),
    changed: now.steps.flatMap((step) => {
      const other = find(old.steps, step.id);
      const members = other ? compared.filter((name) => !isDeepStrictEqual(step[name], other[name])) : [];
      return members.length > 0 ? [{ step: step.id, members }] : [];
    }),
    tasks: now.total.tasks - old.total.tasks,
    cost_usd: dollars(now.total.cost_usd.value - old.total.cost_usd.value),
  };
}
