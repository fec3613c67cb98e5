import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { MissionPermit, MissionTaskRequest } from "../../workflows/public.ts";
import type { Question } from "../decisions/store.ts";
import { missionBudget, missionHolds } from "../errors.ts";
import { block } from "../missions/lifecycle.ts";
import { lockMission, type MissionRow } from "../missions/store.ts";
import { asksByAutonomy } from "../plans/rules.ts";
import { findPlan } from "../plans/store.ts";
import { dollars, listSpend, totalSpend } from "../progress/spend-store.ts";

/** Less than a millionth of a dollar: sums of prices are not exact. */
const least = 5e-7;

/**
 * Holds the most that a task may cost against its mission's budget. The mission's row is locked until the task is stored with that bound, so that tasks which begin at
 * the same moment do not hold the same money. Where the budget can never suffice, the mission is blocked and people are asked.
 */
export async function reserveTask(ctx: WriteContext, request: MissionTaskRequest): Promise<MissionPermit> {
  const mission = await lockMission(ctx, request.mission);
  if (mission.status !== "running") throw refuse(missionHolds, `The mission is ${mission.status}.`);
  const held = heldBecause(ctx, mission, request);
  if (held) {
    await block(ctx, mission, held);
    return null;
  }
  const { spent, reserved, begun } = totalSpend(await listSpend(ctx, [mission.id]));
  const left = dollars(mission.budget_usd - spent);
  const most = await mostOf(ctx, mission, request, { left, begun });
  if (begun >= mission.budget_tasks || left + least < most) {
    await block(ctx, mission, overBudget(mission, request, { left, most, begun }));
    return null;
  }
  if (left - reserved + least < most)
    throw refuse(
      missionBudget,
      `It may cost $${most}, and tasks that are under way may still cost all but $${dollars(left - reserved)}.`,
    );
  return {
    requireApproval: asksByAutonomy(mission.autonomy, request.skill),
    limits: { cost_usd: most },
  };
}

interface Use {
  readonly left: number;
  readonly begun: number;
}

/** The most that the task may cost, by its agent and policies; without a limit, an equal share of what is left for each task that the plan may still make. */
async function mostOf(
  ctx: WriteContext,
  mission: MissionRow,
  { most, limits }: MissionTaskRequest,
  { left, begun }: Use,
): Promise<number> {
  const said = [most, limits?.cost_usd].filter((one): one is number => typeof one === "number");
  if (said.length > 0) return Math.min(...said);
  const plan = mission.plan_number === null ? undefined : await findPlan(ctx, mission.id, mission.plan_number);
  const toCome = Math.max(1, (plan?.plan.total.tasks ?? 1) - begun);
  // With nothing left there is no share: the task is refused.
  return Math.max(1e-6, Math.floor((left / toCome) * 1e6) / 1e6);
}

/** Why nothing more may begin until people have decided. */
function heldBecause(
  { now }: WriteContext,
  { deadline, agents }: MissionRow,
  { agent, step }: MissionTaskRequest,
): Question | undefined {
  if (deadline !== null && deadline.getTime() < now) return deadlinePassed;
  if (agents.includes(agent)) return undefined;
  return {
    kind: "failure",
    blocks: true,
    context: { step, agent },
    question: `${agent} may no longer work on the mission, and the step ${step} needs it.`,
    options: [
      { id: "skip", label: "Go on without the step and what rests on it" },
      { id: "stop", label: "Stop here" },
    ],
  };
}

export const deadlinePassed: Question = {
  kind: "deadline",
  blocks: true,
  context: {},
  question: "The deadline has passed and the plan is not done. Go on?",
  options: [
    { id: "continue", label: "Go on; change the deadline first" },
    { id: "stop", label: "Stop here" },
  ],
};

function overBudget(
  { budget_usd, budget_tasks }: MissionRow,
  { step }: MissionTaskRequest,
  { left, most, begun }: Use & { readonly most: number },
): Question {
  const tasks = begun >= budget_tasks;
  const why = tasks
    ? `all ${budget_tasks} tasks of the budget are begun`
    : `a task may cost ${most} US dollars, and ${left} of ${budget_usd} are left`;
  return {
    kind: "budget",
    blocks: true,
    context: { step, left_usd: left, task_usd: most, tasks_begun: begun },
    question: `The budget does not suffice for the step ${step}: ${why}.`,
    options: [
      { id: "continue", label: "Go on; raise the budget first" },
      { id: "stop", label: "Stop here" },
    ],
  };
}
