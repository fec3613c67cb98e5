import { type Actor, type Decider, storedDeciders, unite, withDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import {
  askOfRuns,
  decidersOfMissionRuns,
  giveMissionRun,
  openRunsOf,
  saveMissionVersion,
  startMissionRun,
  wakeMission,
} from "../../workflows/public.ts";
import { type DecisionRow, insertDecision, type Question, withdrawDecisions } from "../decisions/store.ts";
import { planNotAcceptable } from "../errors.ts";
import { decisionRequired, missionStarted } from "../events.ts";
import { groundOf, planOfSteps } from "../plans/rules.ts";
import { acceptPlanRow, findPlan, type PlanRow } from "../plans/store.ts";
import { type Earlier, workflowOfPlan } from "../plans/workflow.ts";
import { readEarlier } from "../work/store.ts";
import { decidersOfMission, inNameOf, missionObject } from "./accountable.ts";
import { workflowOf } from "./rules.ts";
import { addToTimeline, type MissionRow, missionJson, updateMission } from "./store.ts";

// Moves a mission from one status to another. The caller has locked it.

const payloadOf = ({ id, goal }: MissionRow, status: string) => ({ mission_id: id, goal, status });

/** Accepts a version of the plan, judged again. A run of another plan is ended; what it completed stays. */
export async function acceptPlan(
  ctx: WriteContext,
  mission: MissionRow,
  number: number,
): Promise<{ readonly mission: MissionRow; readonly plan: PlanRow }> {
  const row = await findPlan(ctx, mission.id, number);
  if (!row) throw refuse(planNotAcceptable, `The mission has no plan ${number}.`);
  const ground = await groundOf(ctx, mission, row.plan.steps);
  const [fault] = planOfSteps(ctx, ground, row.plan.steps).findings.filter(({ severity }) => severity === "error");
  if (fault) throw refuse(planNotAcceptable, `Plan ${number}: ${fault.detail}`);
  const plan = await acceptPlanRow(ctx, row, decidersOfMission(ctx, "planned", mission.id));
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  const changes = { plan_number: number, run_id: null, status: "ready" as const, replans: 0 };
  const accepted = await updateMission(ctx, mission.id, changes);
  await withdrawDecisions(ctx, mission.id, { every: false });
  await addToTimeline(ctx, mission.id, { kind: "plan.accepted", text: `Plan ${number} was accepted.` });
  return { mission: accepted, plan };
}

interface Carrying {
  readonly plan: PlanRow;
  readonly actor: Actor;
  readonly note: string;
}

/** Carries a plan out as a run of a new version of the mission's workflow, without steps that earlier runs completed. */
export async function carryOut(
  ctx: WriteContext,
  mission: MissionRow,
  { plan, actor, note }: Carrying,
): Promise<MissionRow> {
  const { steps } = plan.plan;
  const earlier = await readEarlier(ctx, mission.id, steps, missionJson(mission, "inputs"));
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
  const changes = { run_id: run, status: "running" as const, started_at, ...inNameOf(mission, actor) };
  const started = await updateMission(ctx, mission.id, changes);
  ctx.emit(missionStarted, payloadOf(mission, "running"));
  const text = `Plan ${plan.number} is carried out.`;
  await addToTimeline(ctx, mission.id, { kind: "mission.started", text, run });
  return started;
}

/** Deciders of a run: of the mission's inputs, its plan, and the results of earlier runs. */
async function decidersOfWork(
  ctx: WriteContext,
  { id, deciders }: MissionRow,
  plan: PlanRow,
  earlier: Earlier,
): Promise<readonly Decider[]> {
  const before = Object.keys(earlier).length === 0 ? [] : await decidersOfMissionRuns(ctx, id, missionObject(id));
  return unite(storedDeciders(deciders), storedDeciders(plan.deciders), before);
}

/** The mission and its run act for somebody else from now on. Whoever they acted for before decided what they do. */
export async function takeOver(ctx: WriteContext, mission: MissionRow, actor: Actor): Promise<void> {
  await updateMission(ctx, mission.id, inNameOf(mission, actor));
  if (mission.run_id !== null) await giveMissionRun(ctx, mission.run_id, actor, missionObject(mission.id));
}

const inputOf = (mission: MissionRow, earlier: Earlier): object => {
  const given = missionJson(mission, "inputs");
  return Object.keys(earlier).length === 0 ? given : { ...given, earlier };
};

/** Resumes a held mission with its run, which may have ended meanwhile. */
export async function goOn(ctx: WriteContext, mission: MissionRow): Promise<MissionRow> {
  const resumed = await updateMission(ctx, mission.id, { status: "running" });
  await withdrawDecisions(ctx, mission.id, { every: false });
  ctx.enqueue(wakeMission(ctx.scope, mission.id, mission.run_id ?? ""));
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "resume");
  ctx.emit(missionStarted, payloadOf(mission, "running"));
  await addToTimeline(ctx, mission.id, { kind: "mission.resumed", text: "The mission goes on." });
  return resumed;
}

/** Blocks a mission until people decide: no further task begins. */
export async function block(ctx: WriteContext, mission: MissionRow, asked: Question): Promise<DecisionRow> {
  await updateMission(ctx, mission.id, { status: "blocked" });
  const decision = await insertDecision(ctx, mission.id, asked);
  ctx.emit(decisionRequired, { ...payloadOf(mission, "blocked"), decision_id: decision.id, question: asked.question });
  await addToTimeline(ctx, mission.id, { kind: "decision.asked", text: asked.question });
  return decision;
}

/** Ends the open run, and every question. */
export async function endWork(ctx: WriteContext, mission: MissionRow): Promise<void> {
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  await withdrawDecisions(ctx, mission.id, { every: true });
}
