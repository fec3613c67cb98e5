import type { Action } from "@aos/workflow";
import { insertRow } from "../../../db/insert-row.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { Governed } from "../../../kernel/verdict.ts";
import { actorWithKey } from "../../admin/public.ts";
import { findKnownAgent, type KnownAgent } from "../../agents/public.ts";
import { newApprovals } from "../../approvals/requests/public.ts";
import { acceptTask, newTasks, taskApprovalRequired, taskCreated, type Work } from "../../tasks/public.ts";
import { type Call, callOf, workOf } from "../calls.ts";
import { agentNotLive, invalidCall } from "../errors.ts";
import { findPlan } from "../plans.ts";
import type { RunRow, StepRow } from "../run-state.ts";
import { findRun, findStep, noteTask } from "../run-store.ts";

export interface StartStep {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
}

interface Loaded {
  readonly run: RunRow;
  readonly step: StepRow;
  readonly call: Call;
  readonly agent: KnownAgent;
}

/** Makes the task of a step that has begun: an agent's skill, one call of a tool, or a question to people. On behalf of who started the run. */
export const startStep: InsideOperation<StartStep, { readonly task: string }> = defineInside({
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
  errors: [conflict, agentNotLive, invalidCall],
  handle: (ctx, { loaded, facts, governed }) => start(ctx, loaded, facts.work, governed),
});

async function loadStep(ctx: ReadContext, { run: id, step: name, attempt }: StartStep): Promise<Loaded | undefined> {
  const run = await findRun(ctx, id);
  const step = run && (await findStep(ctx, id, name));
  const plan = run && (await findPlan(ctx, run.version_id));
  const planned = plan?.byId.get(name);
  if (!run || !step || !plan || !planned || step.attempt !== attempt || step.action === null) return undefined;
  const call = callOf(plan, planned, JSON.parse(step.action) as Action);
  const agent = findKnownAgent(ctx, call.agent) ?? {
    agent: call.agent,
    labels: [],
    archived: true,
    live: null,
    paused: null,
  };
  return { run, step, call, agent };
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
  { run, step, call, agent }: Loaded,
  work: Work,
  governed: Governed,
): Promise<{ task: string }> {
  const actor = await actorWithKey(ctx, run.principal, run.key_id);
  const { task, approval } = acceptTask(ctx, work, governed, {
    ...{ agent: agent.agent, task: call.skill, requireApproval: call.requireApproval },
    ...{ priority: 0, deadline: null, notBefore: null, labels: run.labels, approval: call.approval },
    by: { actor, keyId: run.key_id },
    run: { id: run.id, workflow: run.workflow, step: step.step, coveredBy: null },
  });
  if (!(await noteTask(ctx, step, task.id))) throw refuse(conflict, "The step has its task already, or is over.");
  if (approval) await insertRow(ctx, newApprovals, approval);
  await insertRow(ctx, newTasks, task);
  return { task: task.id };
}
