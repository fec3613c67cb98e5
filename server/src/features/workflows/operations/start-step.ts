import { insertRow } from "../../../db/insert-row.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { type Governed, strictest } from "../../../kernel/verdict.ts";
import { actorWithKey } from "../../admin/public.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { newApprovals } from "../../approvals/requests/public.ts";
import { acceptTask, newTasks, taskApprovalRequired, taskCreated, type Work } from "../../tasks/public.ts";
import { type Call, callOf, workOf } from "../calls.ts";
import { mostOf, withinCost } from "../cost-limit.ts";
import { agentNotLive, costLimit, costReserved, expressionFailed, invalidCall } from "../errors.ts";
import type { FrozenVersion } from "../plans.ts";
import { type MissionPermit, missionTasks } from "../ports.ts";
import type { RunRow, StepRow } from "../run-state.ts";
import { findStep, noteTask, readRun } from "../run-store.ts";
import { actionFor } from "../step-action.ts";

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
  readonly agent: KnownAgent;
}

/** Makes the task of a step that has begun: an agent's skill, one call of a tool, or a question to people. On behalf of who started the run. */
export const startStep: InsideOperation<StartStep, { readonly task: string | null }> = defineInside({
  id: "workflows.startStep",
  summary: "Start a step of a workflow",
  permission: exempt("a worker of the service itself, for who started the run"),
  load: (ctx, params: StartStep) => loadStep(ctx, params),
  gate: (ctx, { loaded: { call, agent } }: { loaded: Loaded }) => ({
    agent: agent.agent,
    versionId: liveOf(ctx, call, agent).id,
  }),
  compliance: governs(
    "task.dispatch",
    (ctx, { loaded }: { params: StartStep; query: undefined; body: undefined; loaded: Loaded }) =>
      stepFacts(ctx, loaded),
    {
      waits: true,
      spends: (_ctx, { loaded: { run, agent } }) => ({
        agent: agent.agent,
        keyId: run.key_id,
        principal: run.principal,
        demand: { tasks: 1 },
      }),
    },
  ),
  audit: ({ params, output }) => ({ object: `run:${params.run}`, task: output?.task ?? null }),
  emits: [taskCreated, taskApprovalRequired],
  errors: [conflict, agentNotLive, invalidCall, expressionFailed, costLimit, costReserved],
  handle: (ctx, { loaded, facts, governed }) => start(ctx, loaded, facts.work, governed),
});

async function loadStep(ctx: ReadContext, { run, step: name, attempt, item }: StartStep): Promise<Loaded | undefined> {
  const known = await readRun(ctx, run);
  const step = known && (await findStep(ctx, run, name));
  const planned = known?.version.plan.byId.get(name);
  if (!known || !planned || step?.attempt !== attempt) return undefined;
  const action = await actionFor(ctx, known, step, item);
  if (!action) return undefined;
  const call = callOf(known.version.plan, planned, action);
  const agent = findKnownAgent(ctx, call.agent) ?? {
    agent: call.agent,
    labels: [],
    archived: true,
    live: null,
    paused: null,
  };
  return { run: known.row, version: known.version, step, item, call, agent };
}

function liveOf(ctx: CallContext, call: Call, { archived, live }: KnownAgent) {
  if (live && !archived) return live;
  throw refuse(
    agentNotLive,
    `${call.agent} is not deployed in ${ctx.scope.environment}, so that the step cannot be done.`,
  );
}

function stepFacts(ctx: CallContext, { call, agent }: Loaded) {
  const version = liveOf(ctx, call, agent);
  const work = workOf(ctx, version, call);
  const { level, score, impact, likelihood } = work.risk;
  return {
    agent: { name: agent.agent, labels: agent.labels },
    version: { number: version.number, id: version.id },
    skill: { name: call.skill },
    input: call.input,
    risk: { level, score, impact, likelihood },
    trust: { score: work.trust.score, low: work.trust.low, high: work.trust.high },
    work,
  };
}

async function start(
  ctx: WriteContext,
  { run, version, step, item, call, agent }: Loaded,
  work: Work,
  stages: Governed,
): Promise<{ task: string | null }> {
  // What was done is undone whatever it costs.
  const bounded = step.undo === "running" ? stages : await withinCost(ctx, run, version.plan, work, stages);
  const permit = step.undo === "running" ? unbound : await permitOf(ctx, { run, step, agent }, work, bounded);
  if (permit === null) return { task: null };
  const governed = { ...bounded, limits: permit.limits ? strictest(bounded.limits, permit.limits) : bounded.limits };
  const actor = await actorWithKey(ctx, run.principal, run.key_id);
  const { task, approval } = acceptTask(ctx, work, governed, {
    ...{ agent: agent.agent, task: call.skill, requireApproval: call.requireApproval || permit.requireApproval },
    ...{ priority: 0, deadline: null, notBefore: null, labels: run.labels, approval: call.approval },
    by: { actor, keyId: run.key_id },
    run: { id: run.id, step: step.step, coveredBy: null },
  });
  if (!(await noteTask(ctx, { ...step, item }, task.id)))
    throw refuse(conflict, "The step has its task already, or is over.");
  if (approval) await insertRow(ctx, newApprovals, approval);
  await insertRow(ctx, newTasks, task);
  return { task: task.id };
}

const unbound = { requireApproval: false, limits: null };

/** What the mission that a run works for says of the task. */
function permitOf(
  ctx: WriteContext,
  { run, step, agent }: Pick<Loaded, "run" | "step" | "agent">,
  work: Work,
  { limits }: Governed,
): Promise<MissionPermit> | typeof unbound {
  const { id, mission } = run;
  if (mission === null) return unbound;
  const asked = {
    mission,
    run: id,
    step: step.step,
    agent: agent.agent,
    skill: work.skill,
    most: mostOf(work),
    limits,
  };
  return missionTasks().reserve(ctx, asked);
}
