import { undoReadsOf } from "@aos/workflow";
import { insertRow } from "../../../../db/insert-row.ts";
import {
  type Actor,
  type Decider,
  storedActor,
  storedDeciders,
  undoingActor,
  unite,
  withDeciders,
} from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { type Governed, strictest } from "../../../../kernel/verdict.ts";
import { resolveActor } from "../../../admin/public.ts";
import { findKnownAgent, findLiveSkill } from "../../../agents/public.ts";
import { newApprovals } from "../../../approvals/requests/public.ts";
import {
  acceptTask,
  liveContentDeciders,
  newTasks,
  taskApprovalRequired,
  taskCreated,
  type Work,
} from "../../../tasks/public.ts";
import {
  agentNotLive,
  costLimit,
  costReserved,
  expressionFailed,
  expressionTooCostly,
  invalidCall,
  runNotPermitted,
} from "../../errors.ts";
import { type MissionPermit, missionTasks } from "../../ports.ts";
import { besidesActor, decidersRead } from "../../runs/deciders.ts";
import { isAgain, originOfStep, type RunRow, type StepRow } from "../../runs/rules.ts";
import { findStepToStart, lockTaskless, noteTask, readRun } from "../../runs/store.ts";
import type { FrozenVersion } from "../../versions/plans.ts";
import { actionFor } from "../action.ts";
import { type Call, callOf, demandOf, deployed, isTask, shownCall, stepFacts, stepProposals } from "../calls.ts";
import { mostOf, withinCost } from "../cost-limit.ts";
import { type Cover, coverOf, leftToAsk } from "../earlier-approval.ts";

export interface StartStep {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** Of a loop: the position of the item. */
  readonly item?: number | undefined;
}

interface Loaded {
  readonly run: RunRow;
  readonly version: FrozenVersion;
  readonly step: StepRow;
  readonly item: number | undefined;
  readonly call: Call;
  readonly cover: Cover | null;
  readonly actor: Actor;
}
const stepOf = ({ run, step }: Loaded) => ({ name: run.workflow, step: step.step });
type Given = { params: StartStep; query: undefined; body: undefined; loaded: Loaded };

/**
 * Makes the task of a step that has begun: an agent's skill, one call of a tool, or a question to people. On behalf of who started the run, as far as they still
 * may; what people approved at an earlier step that covers this one, they are not asked again.
 */
export const startStep: InsideOperation<StartStep, { readonly task: string | null }> = defineInside({
  id: "workflows.startStep",
  summary: "Start a step of a workflow",
  permission: exempt("a worker of the service itself, for who started the run"),
  load: (ctx, params: StartStep) => loadStep(ctx, params),
  gate: (ctx, { loaded: { call } }: { loaded: Loaded }) => ({
    agent: call.agent,
    versionId: deployed(ctx, call.agent).live.id,
  }),
  compliance: governs("task.dispatch", (ctx, { loaded }: Given) => stepFacts(ctx, stepOf(loaded), loaded.call), {
    waits: true,
    proposes: (ctx, { loaded }) => stepProposals(ctx, stepOf(loaded), loaded.call),
    spends: (_ctx, { loaded: { run, call } }) => ({
      agent: call.agent,
      keyId: run.key_id,
      principal: run.principal,
      demand: { tasks: 1 },
    }),
  }),
  audit: ({ params, output }) => ({ object: `run:${params.run}`, task: output?.task ?? null }),
  emits: [taskCreated, taskApprovalRequired],
  errors: [
    conflict,
    agentNotLive,
    invalidCall,
    expressionFailed,
    expressionTooCostly,
    costLimit,
    costReserved,
    runNotPermitted,
  ],
  handle: (ctx, { loaded, facts, governed }) => start(ctx, loaded, facts.work, governed),
});

async function loadStep(
  ctx: ReadContext,
  { run: id, step: name, attempt, item }: StartStep,
): Promise<Loaded | undefined> {
  const known = await readRun(ctx, id);
  const found = known && (await findStepToStart(ctx, known, name));
  const planned = known?.version.plan.byId.get(name);
  if (!known || !planned || found?.step.attempt !== attempt) return undefined;
  const { row: run, version } = known;
  const { step } = found;
  const action = await actionFor(ctx, known, step, item);
  if (!action) return undefined;
  const versionOf = (agent: string): number | null => findKnownAgent(ctx, agent)?.live?.number ?? null;
  const call = callOf(version.plan, planned, action, versionOf);
  const permitted = await actorOfStep(ctx, run, step, call);
  const undoing = step.undo === "running" ? decidersRead(undoReadsOf(version.plan, name), run, known.deciders) : [];
  const actor = withDeciders(permitted, unite(storedDeciders(step.deciders), undoing, found.unlooked));
  const cover =
    item === undefined && isTask(action) ? await coverOf(ctx, version.plan, step, shownCall(action, versionOf)) : null;
  return { run, version, step, item, call, cover, actor };
}

/** A run acts in the name of who started it, as long as they may run workflows. Compensation runs in any case. */
async function actorOfStep(ctx: ReadContext, run: RunRow, step: StepRow, { agent }: Call): Promise<Actor> {
  const stored = storedActor(run.actor);
  if (step.undo === "running") return undoingActor(stored);
  const permission = run.mission === null ? "workflows:run" : "missions:run";
  const { actor, stopped } = await resolveActor(ctx, stored, permission, [agent]);
  if (!actor) throw refuse(runNotPermitted, `The step acts on behalf of who started the run: ${stopped}.`);
  return actor;
}

async function start(
  ctx: WriteContext,
  { run, version, step, item, call: given, cover, actor }: Loaded,
  work: Work,
  stages: Governed,
): Promise<{ task: string | null }> {
  // Compensation has no cost limit.
  const bounded = step.undo === "running" ? stages : await withinCost(ctx, run, version.plan, work, stages);
  const permit =
    step.undo === "running" ? unbound : await permitOf(ctx, { run, step, item, call: given }, work, bounded);
  if (permit === null) return { task: null };
  const governed = { ...bounded, limits: permit.limits ? strictest(bounded.limits, permit.limits) : bounded.limits };
  const call = { ...given, requireApproval: given.requireApproval || permit.requireApproval };
  const asker = permit.requireApproval ? "mission" : `workflow ${run.workflow}`;
  const asks = `The ${asker} asks for approval at its step ${step.step}.`;
  const { demand, coveredBy } = await leftToAsk(ctx, cover, demandOf(ctx, { call, work, asks }, governed));
  const content = contentOfCall(ctx, call, work);
  const { task, approval } = acceptTask(ctx, actor, work, governed, {
    content,
    agent: call.agent,
    task: call.skill,
    requireApproval: call.requireApproval,
    demand,
    priority: 0,
    deadline: null,
    notBefore: null,
    labels: run.labels,
    approval: call.approval,
    run: {
      id: run.id,
      workflow: run.workflow,
      step: step.step,
      coveredBy,
      isAgain: isAgain(run, step),
      origin: originOfStep(run, step.step, { item, undo: step.undo === "running" }),
    },
  });
  if (!(await noteTask(ctx, { ...step, item }, { id: task.id, content: besidesActor(run, call.asks ? [] : content) })))
    throw refuse(conflict, "The step has its task already, or is over.");
  if (approval) await insertRow(ctx, newApprovals, approval);
  await insertRow(ctx, newTasks, task);
  return { task: task.id };
}

/** The deciders of a call. Approvers see the calls that they approve with it. */
function contentOfCall(ctx: WriteContext, { asks }: Call, { version, skill }: Work): readonly Decider[] {
  if (asks === null) return liveContentDeciders(ctx, version, skill);
  const covered = asks.covered.map((call) => {
    const live = findKnownAgent(ctx, call.agent)?.live;
    const called = live && findLiveSkill(live, call.skill);
    return called ? liveContentDeciders(ctx, live, called) : [];
  });
  return unite(...covered);
}

const unbound = { requireApproval: false, limits: null };

/** The mission's permit for the task; null: the mission was put on hold because of it. */
async function permitOf(
  ctx: WriteContext,
  { run, step, item, call }: Pick<Loaded, "run" | "step" | "item" | "call">,
  work: Work,
  { limits }: Governed,
): Promise<MissionPermit | typeof unbound> {
  const { id, mission } = run;
  if (mission === null) return unbound;
  // A second start of the same step takes no further task from the budget.
  if (!(await lockTaskless(ctx, { ...step, item }))) throw refuse(conflict, "The step has its task already.");
  const asked = { mission, run: id, step: step.step, agent: call.agent, skill: work.skill, most: mostOf(work), limits };
  return ctx.port(missionTasks).reserve(ctx, asked);
}
