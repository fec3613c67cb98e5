import { type Actor, storedActor, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { counted } from "../../../kernel/count.ts";
import { resolveActor } from "../../admin/public.ts";
import {
  countUnended,
  listUnmadeTasks,
  type MissionRunEnd,
  openRunsOf,
  readMissionRun,
} from "../../workflows/public.ts";
import type { Question } from "../decisions/store.ts";
import { missionFinished, missionReplanned } from "../events.ts";
import { groundOf, hasErrors, planOfSteps } from "../plans/rules.ts";
import { acceptPlanRow, findPlan, insertPlan, type PlanRow } from "../plans/store.ts";
import { dependsOn } from "../plans/workflow.ts";
import { listSpend, totalSpend } from "../progress/spend-store.ts";
import type { PlanStepBody } from "../schemas.ts";
import { decidersOfMission } from "./accountable.ts";
import { block, carryOut } from "./lifecycle.ts";
import { addToTimeline, type MissionRow, updateMission } from "./store.ts";

// Consequences of the end of a run. The caller has locked the mission.

/** Plans that the service may accept without people after they have accepted one. */
const mostReplans = 2;

export async function settleRun(ctx: WriteContext, mission: MissionRow, run: string): Promise<void> {
  if (mission.run_id === null && mission.status === "running" && (await openRunsOf(ctx, mission.id)).length === 0)
    return finish(ctx, mission, "All work that was added is done.");
  const plan = mission.plan_number === null ? undefined : await findPlan(ctx, mission.id, mission.plan_number);
  // A run besides the plan's, such as a task added by hand, may have been the last one.
  const end =
    mission.run_id === null || mission.status !== "running" ? undefined : await readMissionRun(ctx, mission.run_id);
  if (!end || !plan) return;
  if (end.status === "completed") {
    if ((await openRunsOf(ctx, mission.id)).length > 0) return;
    await requireEnded(ctx, mission.run_id as string);
    await tellUnmade(ctx, mission);
    await finish(ctx, mission, await resultOf(ctx, mission, plan));
  } else if (mission.run_id !== run) return;
  else if (end.status === "failed") await settleFailure(ctx, mission, plan, end);
  else if (end.status === "cancelled")
    await block(ctx, mission, failed(undefined, "Its run was cancelled.", ["retry", "stop"]));
}

/** Throws while a task or an item of the run is open, so that the mission is settled later. */
async function requireEnded(ctx: WriteContext, run: string): Promise<void> {
  const unended = await countUnended(ctx, run);
  if (unended > 0) throw new Error(`the run ${run} is completed, and ${unended} of its tasks or items have not ended`);
}

/** Planned work without a task goes to the timeline with its reason; a failed task is there anyway. */
async function tellUnmade(ctx: WriteContext, mission: MissionRow): Promise<void> {
  for (const { run, step, code, detail, count, items } of await listUnmadeTasks(ctx, [mission.id])) {
    if (run !== mission.run_id) continue;
    const named = `${items.join(", ")}${count > items.length ? ", …" : ""}`;
    const what =
      items.length === 0 ? "The task" : count === 1 ? `The task of item ${named}` : `${count} tasks (items ${named})`;
    const text = `${what} of ${step} could not be made: ${code}: ${detail}`;
    await addToTimeline(ctx, mission.id, { kind: "task.not_made", text, step, run });
  }
}

/** The result of the plan in one sentence, counting every planned task. */
async function resultOf(ctx: WriteContext, mission: MissionRow, plan: PlanRow): Promise<string> {
  const { completed, failed, cancelled } = totalSpend(await listSpend(ctx, [mission.id]));
  const unmade = (await listUnmadeTasks(ctx, [mission.id])).reduce((sum, { count }) => sum + count, 0);
  const others = Object.entries({ failed, cancelled, "could not be made": unmade }).filter(([, count]) => count > 0);
  const ended = [`${counted(completed, "task")} completed`, ...others.map(([what, count]) => `${count} ${what}`)];
  const unneeded = plan.plan.total.tasks - completed - failed - cancelled - unmade;
  const rest = unneeded > 0 ? [`${unneeded} of at most ${plan.plan.total.tasks} planned were not needed`] : [];
  return `All work of the plan is done: ${[...ended, ...rest].join(", ")}.`;
}

/** All work is done: people complete the mission, or plan further. */
export async function finish(ctx: WriteContext, mission: MissionRow, text: string): Promise<void> {
  await updateMission(ctx, mission.id, { status: "finished" });
  ctx.emit(missionFinished, { mission_id: mission.id, goal: mission.goal, status: "finished" });
  await addToTimeline(ctx, mission.id, { kind: "mission.finished", text });
}

/** A step failed: the service replans within what people accepted, else they decide. What people rejected is never repeated by itself. */
async function settleFailure(ctx: WriteContext, mission: MissionRow, plan: PlanRow, end: MissionRunEnd): Promise<void> {
  // An unknown outcome comes first: another plan might repeat the write.
  const step =
    end.steps.find(({ status }) => status === "outcome_unknown") ??
    end.steps.find(({ status }) => status === "failed" || status === "rejected");
  const reason = end.failure?.detail ?? step?.failure?.detail ?? "It did not complete.";
  // Another plan makes other tasks, which would write again.
  const why = step?.hasWritten ? `${reason} It has written before that; done again, it may write again.` : reason;
  if (mission.replans < mostReplans && step?.status === "failed" && !step.hasWritten) {
    const note = `${step.step} failed: ${why}`;
    const { actor, stopped } = await resolveActor(ctx, storedActor(mission.actor), "missions:run", mission.agents);
    if (!actor) return void (await block(ctx, mission, withoutOwner(failed(step.step, why, mayFollow), stopped)));
    if (await replan(ctx, mission, plan, { steps: plan.plan.steps, note, actor, withinAccepted: true })) return;
  }
  await block(ctx, mission, failed(step?.step, why, mayFollow));
}

const mayFollow = ["retry", "skip", "stop"];

/** A question about a failure after which the mission cannot go on, since its owner may not run missions. */
const withoutOwner = ({ question, context, ...asked }: Question, stopped: string): Question => ({
  ...asked,
  question: `${question} The mission does not go on by itself: ${stopped}. Whoever may run missions can start it again, and it then acts on their behalf.`,
  context: { ...context, stopped },
});

const labels: Readonly<Record<string, string>> = {
  retry: "Do it again",
  skip: "Go on without the step and what rests on it",
  stop: "Stop here",
};

function failed(step: string | undefined, why: string, options: readonly string[]): Question {
  return {
    kind: "failure",
    blocks: true,
    context: step === undefined ? { why } : { step, why },
    question: step === undefined ? why : `The step ${step} failed: ${why}`,
    options: options.map((id) => ({ id, label: labels[id] as string })),
  };
}

interface Replanning {
  readonly steps: readonly PlanStepBody[];
  readonly note: string;
  readonly actor: Actor;
  /** Only if the rest costs no more and makes no more tasks than people accepted. */
  readonly withinAccepted: boolean;
}

/** Goes on by a new version of the plan. False if that exceeds the limits; nothing was done then. */
export async function replan(
  ctx: WriteContext,
  mission: MissionRow,
  before: PlanRow,
  { steps, note, actor, withinAccepted }: Replanning,
): Promise<boolean> {
  const content = planOfSteps(ctx, await groundOf(ctx, mission, steps), steps.map(bodyOf));
  const { total } = before.plan;
  const beyond = content.total.cost_usd.value > total.cost_usd.high || content.total.tasks > total.tasks;
  // Tasks of completed steps are not made again, so this overestimates what will be done.
  const tooMuch = content.findings.some(({ severity, code }) => severity === "error" && code !== "over_budget");
  if (withinAccepted && (hasErrors(content) || beyond)) return false;
  if (tooMuch) return false;
  const deciders = unite(storedDeciders(before.deciders), decidersOfMission(ctx, "planned", mission.id));
  const added = await insertPlan(ctx, mission.id, { plan: content, origin: "replan", note, deciders });
  const plan = await acceptPlanRow(ctx, added, []);
  await updateMission(ctx, mission.id, {
    plan_number: plan.number,
    replans: mission.replans + (withinAccepted ? 1 : 0),
  });
  const payload = { mission_id: mission.id, goal: mission.goal, status: "running" };
  ctx.emit(missionReplanned, { ...payload, plan: plan.number, reason: note });
  await addToTimeline(ctx, mission.id, { kind: "plan.replanned", text: `Plan ${plan.number}: ${note}` });
  const inputs = await inputsOf(ctx, mission);
  await carryOut(ctx, { ...mission, inputs }, { plan, actor, note });
  return true;
}

/** The inputs with which the plan was accepted: later changes count for plans that people propose. */
async function inputsOf(ctx: WriteContext, { run_id, inputs }: MissionRow): Promise<string> {
  const run = run_id === null ? undefined : await readMissionRun(ctx, run_id);
  if (!run) return inputs;
  const { earlier: _earlier, ...given } = run.input as { readonly earlier?: unknown };
  return JSON.stringify(given);
}

/** A step as proposed, without its estimates. */
export const bodyOf = ({
  id,
  title,
  agent,
  skill,
  inputs,
  depends_on,
  require_approval,
  attempts,
}: PlanStepBody): PlanStepBody => ({
  id,
  agent,
  skill,
  inputs,
  ...(title !== undefined && { title }),
  ...(depends_on !== undefined && { depends_on }),
  ...(require_approval !== undefined && { require_approval }),
  ...(attempts !== undefined && { attempts }),
});

/** The steps without one and its dependents. */
export function without(steps: readonly PlanStepBody[], step: string): PlanStepBody[] {
  const gone = new Set([step]);
  for (let size = 0; size < gone.size; ) {
    size = gone.size;
    for (const one of steps) if (dependsOn(one).some((id) => gone.has(id))) gone.add(one.id);
  }
  return steps.filter(({ id }) => !gone.has(id));
}
