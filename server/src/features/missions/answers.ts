import { actorOfCall } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { askOfRuns, openRunsOf } from "../workflows/public.ts";
import { type DecisionRow, listOpenDecisions, withdrawDecisions } from "./decision-store.ts";
import { fault, refuseFaults } from "./errors.ts";
import { again, goOn } from "./lifecycle.ts";
import { findPlan, type PlanRow } from "./plan-store.ts";
import { finish, replan, without } from "./settle.ts";
import { type MissionRow, updateMission } from "./store.ts";

/** Does what people decided. A mission that waits for nothing any more goes on. */
export async function carryOutAnswer(
  ctx: WriteContext,
  mission: MissionRow,
  decision: DecisionRow,
  answer: string,
): Promise<void> {
  if (mission.status !== "blocked" || !decision.blocks) return;
  if (decision.kind !== "question" && answer === "stop") return stop(ctx, mission);
  const others = (await listOpenDecisions(ctx, [mission.id])).filter(({ blocks }) => blocks);
  if (others.length > 0) return;
  if (decision.kind === "failure" && (answer === "retry" || answer === "skip"))
    return goOnOtherwise(ctx, mission, decision, answer);
  if (decision.kind === "deadline" && mission.deadline !== null && mission.deadline.getTime() < ctx.now)
    refuseFaults([fault("/answer", "deadline_passed", "cannot be continue before the deadline is changed")]);
  await goOn(ctx, mission);
}

async function stop(ctx: WriteContext, mission: MissionRow): Promise<void> {
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  // Tasks that are added from now on do not wait for the run that ends here.
  await updateMission(ctx, mission.id, { run_id: null });
  await withdrawDecisions(ctx, mission.id, { every: false });
  await finish(ctx, mission, "The work of the plan was stopped.");
}

/** By a new version of the plan: the step again, or without it. */
async function goOnOtherwise(
  ctx: WriteContext,
  mission: MissionRow,
  { context }: DecisionRow,
  answer: "retry" | "skip",
): Promise<void> {
  const before = (await findPlan(ctx, mission.id, mission.plan_number ?? 0)) as PlanRow;
  const step = typeof context.step === "string" ? context.step : "";
  const steps = answer === "skip" ? without(before.plan.steps, step) : before.plan.steps;
  if (steps.length === 0) return stop(ctx, mission);
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  const note = answer === "skip" ? `Without ${step}.` : `${step} again.`;
  const actor = actorOfCall(ctx);
  if (await replan(ctx, await again(ctx, mission), before, { steps, note, actor, withinAccepted: false })) return;
  refuseFaults([
    fault("/answer", "plan_has_errors", "leads to a plan that cannot be carried out; propose another plan"),
  ]);
}
