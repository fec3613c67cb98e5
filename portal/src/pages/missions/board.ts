import type { MissionBudget, MissionTask, Plan, PlanStep } from "../../api/missions.ts";

export const columns = ["todo", "working", "waiting", "done", "failed"] as const;
export type ColumnName = (typeof columns)[number];

export const columnWords: Readonly<Record<ColumnName, string>> = {
  todo: "To do",
  working: "Working",
  waiting: "Waiting for people",
  done: "Done",
  failed: "Failed",
};

/** A step of the plan with what became of it. */
export interface BoardCard {
  readonly step: PlanStep;
  readonly column: ColumnName;
  readonly tasks: readonly MissionTask[];
  readonly completed: number;
  readonly failed: number;
  readonly open: number;
  readonly waiting: number;
  readonly spent: number;
  readonly reserved: number;
}

const waitingStates = new Set(["awaiting_approval", "input_required"]);
const openStates = new Set(["queued", "running"]);
const failedStates = new Set(["failed", "rejected", "expired", "blocked"]);

/** The steps of a plan by how they stand: as far as their tasks say. */
export function boardOf(
  plan: Pick<Plan, "steps">,
  tasks: readonly MissionTask[],
  budget: Pick<MissionBudget, "by_step"> | undefined,
): readonly BoardCard[] {
  const byStep = Map.groupBy(tasks, ({ step }) => step);
  const money = new Map(budget?.by_step.map((one) => [one.step, one]));
  return plan.steps.map((step) => {
    const own = byStep.get(step.id) ?? [];
    const count = (states: ReadonlySet<string>): number => own.filter(({ status }) => states.has(status)).length;
    const counts = {
      completed: count(new Set(["completed"])),
      failed: count(failedStates),
      open: count(openStates),
      waiting: count(waitingStates),
    };
    const { spent_usd: spent = 0, reserved_usd: reserved = 0 } = money.get(step.id) ?? {};
    return { step, tasks: own, ...counts, spent, reserved, column: columnOf(counts, own.length, step.tasks) };
  });
}

/** People first, since they are what it waits for; a step whose tasks have not all begun goes on. */
function columnOf(
  { completed, failed, open, waiting }: Pick<BoardCard, "completed" | "failed" | "open" | "waiting">,
  begun: number,
  planned: number,
): ColumnName {
  if (waiting > 0) return "waiting";
  if (open > 0) return "working";
  if (begun === 0) return "todo";
  if (completed === 0 && failed > 0) return "failed";
  return begun >= planned || completed + failed >= begun ? "done" : "working";
}
