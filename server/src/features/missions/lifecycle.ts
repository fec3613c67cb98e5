import { type Actor, type Decider, storedDeciders, unite, withDeciders } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import {
  askOfRuns,
  decidersOfMissionRuns,
  giveMissionRun,
  openRunsOf,
  saveMissionVersion,
  startMissionRun,
  wakeMission,
} from "../workflows/public.ts";
import { decidersOfMission, inNameOf, missionObject } from "./accountable.ts";
import { insertDecision, type Question, withdrawDecisions } from "./decision-store.ts";
import { planNotAcceptable } from "./errors.ts";
import { decisionRequired, missionStarted } from "./events.ts";
import { groundOf } from "./ground.ts";
import { planOfSteps } from "./plan-model.ts";
import { acceptPlanRow, findPlan, type PlanRow } from "./plan-store.ts";
import { type Earlier, workflowOfPlan } from "./plan-workflow.ts";
import { readEarlier } from "./result-store.ts";
import { addToTimeline, findMission, type MissionRow, updateMission } from "./store.ts";
import { workflowOf } from "./workflow-name.ts";

// What moves a mission from one status to another. The mission is locked by the caller.

const told = ({ id, goal }: MissionRow, status: string) => ({ mission_id: id, goal, status });

/** Accepts a version of the plan, judged anew as things stand now. A run by another plan is ended; what it completed stays. */
export async function acceptPlan(ctx: WriteContext, mission: MissionRow, number: number): Promise<PlanRow> {
  const row = await findPlan(ctx, mission.id, number);
  if (!row) throw refuse(planNotAcceptable, `The mission has no plan ${number}.`);
  const ground = await groundOf(ctx, mission, row.plan.steps);
  const [fault] = planOfSteps(ctx, ground, row.plan.steps).findings.filter(({ severity }) => severity === "error");
  if (fault) throw refuse(planNotAcceptable, `Plan ${number}: ${fault.detail}`);
  const accepted = await acceptPlanRow(ctx, row, decidersOfMission(ctx, "planned", mission.id));
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  await updateMission(ctx, mission.id, { plan_number: number, run_id: null, status: "ready", replans: 0 });
  await withdrawDecisions(ctx, mission.id, { every: false });
  await addToTimeline(ctx, mission.id, { kind: "plan.accepted", text: `Plan ${number} was accepted.` });
  return accepted;
}

interface Carrying {
  readonly plan: PlanRow;
  readonly actor: Actor;
  readonly note: string;
}

/** Carries a plan out: as a run of a new version of the mission's workflow. Steps that earlier runs completed are not done again. */
export async function carryOut(
  ctx: WriteContext,
  mission: MissionRow,
  { plan, actor, note }: Carrying,
): Promise<string> {
  const { steps } = plan.plan;
  const earlier = await readEarlier(ctx, mission.id, steps, JSON.parse(mission.inputs));
  const definition = workflowOfPlan({ name: workflowOf(mission.id), goal: mission.goal, steps, earlier });
  const version = await saveMissionVersion(ctx, {
    agents: [...new Set(steps.map(({ agent }) => agent))],
    definition,
    note,
  });
  const run = await startMissionRun(ctx, withDeciders(actor, await decidersOfWork(ctx, mission, plan, earlier)), {
    mission: mission.id,
    version,
    labels: mission.labels,
    input: inputOf(mission, earlier),
  });
  const started_at = mission.started_at ?? new Date(ctx.now);
  await updateMission(ctx, mission.id, { run_id: run, status: "running", started_at, ...inNameOf(mission, actor) });
  ctx.emit(missionStarted, told(mission, "running"));
  const text = `Plan ${plan.number} is carried out.`;
  await addToTimeline(ctx, mission.id, { kind: "mission.started", text, run });
  return run;
}

/** Who decided what a run does: the mission's inputs, its plan, and what earlier runs came to. */
async function decidersOfWork(
  ctx: WriteContext,
  { id, deciders }: MissionRow,
  plan: PlanRow,
  earlier: Earlier,
): Promise<readonly Decider[]> {
  const before = Object.keys(earlier).length === 0 ? [] : await decidersOfMissionRuns(ctx, id, missionObject(id));
  return unite(storedDeciders(deciders), storedDeciders(plan.deciders), before);
}

/** The mission, with its run, acts on behalf of somebody else from now on. Whoever it acted for before decided what it does. */
export async function takeOver(ctx: WriteContext, mission: MissionRow, actor: Actor): Promise<void> {
  await updateMission(ctx, mission.id, inNameOf(mission, actor));
  if (mission.run_id !== null) await giveMissionRun(ctx, mission.run_id, actor, missionObject(mission.id));
}

const inputOf = ({ inputs }: MissionRow, earlier: Earlier): object => {
  const given = JSON.parse(inputs) as object;
  return Object.keys(earlier).length === 0 ? given : { ...given, earlier };
};

/** Lets a mission that was held go on with its run, which may have ended meanwhile. */
export async function goOn(ctx: WriteContext, mission: MissionRow): Promise<void> {
  await updateMission(ctx, mission.id, { status: "running" });
  await withdrawDecisions(ctx, mission.id, { every: false });
  ctx.enqueue(wakeMission(ctx.scope, mission.id, mission.run_id ?? ""));
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "resume");
  ctx.emit(missionStarted, told(mission, "running"));
  await addToTimeline(ctx, mission.id, { kind: "mission.resumed", text: "The mission goes on." });
}

/** Holds a mission until people have decided: no further task begins. */
export async function block(ctx: WriteContext, mission: MissionRow, asked: Question): Promise<string> {
  await updateMission(ctx, mission.id, { status: "blocked" });
  const id = await insertDecision(ctx, mission.id, asked);
  ctx.emit(decisionRequired, { ...told(mission, "blocked"), decision_id: id, question: asked.question });
  await addToTimeline(ctx, mission.id, { kind: "decision.asked", text: asked.question });
  return id;
}

/** Ends what is under way, and every question. */
export async function endWork(ctx: WriteContext, mission: MissionRow): Promise<void> {
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  await withdrawDecisions(ctx, mission.id, { every: true });
}

/** The mission as it stands after a change. */
export const again = async (ctx: WriteContext, { id }: Pick<MissionRow, "id">): Promise<MissionRow> =>
  (await findMission(ctx, id)) as MissionRow;
