import { Type } from "typebox";
import { actorOfCall } from "../../../../kernel/actor.ts";
import type { Spending } from "../../../../kernel/budget.ts";
import type { AppendContext, CallContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineAppend, type GateSubject, governs } from "../../../../kernel/operation.ts";
import { storedJson } from "../../../../kernel/stored-json.ts";
import type { Governed } from "../../../../kernel/verdict.ts";
import {
  type Arm,
  drawArm,
  drawable,
  findKnownAgent,
  type KnownAgent,
  type LiveSkill,
  type LiveVersion,
} from "../../../agents/public.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { newApprovals } from "../../../approvals/requests/public.ts";
import { agentNotDeployed } from "../../errors.ts";
import { taskApprovalRequired, taskCreated } from "../../events.ts";
import { DispatchBody, Dispatched } from "../../schemas.ts";
import { findDispatchByIdempotency, newTasks } from "../../tasks/store.ts";
import { acceptTask, type Work } from "../accept.ts";
import { liveContentDeciders } from "../deciders.ts";
import { checkDeadline, dispatchFaults, inputOf, riskOf, startFaults, startingTrust, subjectOf } from "../rules.ts";

function liveOf(ctx: CallContext, agent: KnownAgent): LiveVersion {
  if (agent.live) return agent.live;
  throw refuse(agentNotDeployed, `${agent.agent} is not deployed in ${ctx.scope.environment}.`);
}

/** The version that a call goes to, the same for each attempt of a call. `call` is the id of its record. */
function armOf(call: string, agent: KnownAgent, body: DispatchBody): Arm {
  const sticky = body.options?.sticky_key ?? null;
  return drawArm(agent, { sticky, call, taken: (other) => dispatchFaults(other, body).length === 0 });
}

/** Checked after a repetition was answered, like everything that depends on the moment. */
function gateSubject(ctx: CallContext, agent: KnownAgent, body: DispatchBody): GateSubject {
  checkDeadline(ctx.now, body.deadline);
  return { agent: agent.agent, versionId: liveOf(ctx, armOf(ctx.auditRef, agent, body).agent).id };
}

/** Facts for policies; the handler uses the same ones. */
function policyFacts(ctx: CallContext, agent: KnownAgent, body: DispatchBody) {
  const arm = armOf(ctx.auditRef, agent, body);
  const version = liveOf(ctx, arm.agent);
  const skill = version.skills.get(body.task) as LiveSkill;
  const input = inputOf(body);
  const trust = startingTrust(ctx, version.id, body.task);
  const risk = riskOf(skill, trust.low);
  const { level, score, impact, likelihood } = risk;
  return {
    agent: { name: agent.agent, labels: agent.labels },
    version: { number: version.number, id: version.id },
    skill: { name: body.task },
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    work: { version, skill, input, trust, risk } satisfies Work,
    arm,
  };
}

const oneTask = { tasks: 1 };

/** A task counts when it is accepted, whatever its outcome. */
function spending({ principal }: CallContext, { agent }: KnownAgent): Spending {
  return { agent, keyId: principal.keyId, principal: principal.id, demand: oneTask };
}

const answerJson = storedJson<{ answer: Dispatched }>();

/** A task for an agent. Waits for approval if caller, gate, policy or risk requires it; else it is queued. */
export const dispatchTask = defineAppend({
  id: "agents.dispatchTask",
  path: "/v1/agents/{agent}/tasks",
  status: 202,
  listed: true,
  summary: "Dispatch a task to an agent",
  description:
    "Accepts a task and answers at once. `task` names a skill of the agent; every field that is not reserved is the skill's input. With `require_approval`, " +
    "and where gate, policy or risk ask for it, the task waits for people and nothing runs before they approved exactly this request.",
  params: Type.Object({ agent: AgentName }),
  body: DispatchBody,
  output: Dispatched,
  example: {
    params: { agent: "sales" },
    body: { task: "qualify_lead", input: { lead_id: "ld_1001" }, require_approval: true },
    output: {
      task_id: "tsk_01jd8x0000000000000000000a",
      status: "awaiting_approval",
      trust_score: 0.5,
      audit_ref: "aud_01jd8x0000000000000000000b",
    },
  },
  location: (output) => `/v1/tasks/${output.task_id}`,
  permission: "tasks:write",
  load: (ctx, { agent }) => presentAgent(ctx, agent),
  validate: (_ctx, { loaded, body }) => [
    ...dispatchFaults(loaded, body),
    ...startFaults("/options/not_before", body.options?.not_before, body.deadline),
  ],
  gate: (ctx, { loaded, body }) => gateSubject(ctx, loaded, body),
  decides: "dispatch",
  compliance: governs(
    "task.dispatch",
    (ctx, { loaded, body }: { loaded: KnownAgent; body: DispatchBody }) => policyFacts(ctx, loaded, body),
    {
      waits: true,
      inputOf: "task",
      readFacts: (_ctx, { loaded: { agent, labels } }) => ({ agent: { name: agent, labels } }),
      spends: (ctx, { loaded }) => spending(ctx, loaded),
    },
  ),
  audit: ({ params, loaded, body, output }) => {
    const task = output?.task_id;
    if (task === undefined) return { object: `agent:${params.agent}` };
    const arm = loaded && armOf(output?.audit_ref ?? "", loaded, body);
    const skill = arm?.agent.live?.skills.get(body.task);
    const subject = skill ? subjectOf(skill, inputOf(body), task) : task;
    return {
      object: `task:${task}`,
      task,
      subject,
      freshSubject: subject === task,
      trust: output?.trust_score ?? null,
    };
  },
  emits: [taskCreated, taskApprovalRequired],
  errors: [agentNotDeployed],
  handle: (ctx, { body, facts, governed }) => accept(ctx, body, facts, governed),
  async replay(ctx, hash) {
    const row = await findDispatchByIdempotency(ctx, hash);
    return row && { bodyDigest: row.request_digest, keyId: row.key_id, output: answerJson(row, "answer") };
  },
});

function presentAgent(ctx: CallContext, name: string): KnownAgent | undefined {
  const agent = findKnownAgent(ctx, name);
  // Before all stages, so that each of them sees the same version.
  return agent && !agent.archived ? drawable(ctx, agent) : undefined;
}

type Facts = ReturnType<typeof policyFacts>;

function accept(ctx: AppendContext, body: DispatchBody, { work, arm }: Facts, governed: Governed): Dispatched {
  const options = body.options ?? {};
  const { task, approval, dispatched } = acceptTask(ctx, actorOfCall(ctx), work, governed, {
    content: () => liveContentDeciders(ctx, work.version, work.skill),
    agent: arm.agent.agent,
    experiment: arm.experiment === null ? null : { id: arm.experiment, sticky: arm.sticky },
    task: body.task,
    requireApproval: body.require_approval === true,
    priority: body.priority ?? 0,
    deadline: body.deadline ?? null,
    notBefore: options.not_before ?? null,
    labels: body.labels ?? [],
    approval: options.approval ?? null,
  });
  if (approval) ctx.append(newApprovals, approval);
  ctx.append(newTasks, {
    ...task,
    idempotency_hash: ctx.idempotency?.hash ?? null,
    request_digest: ctx.idempotency?.bodyDigest ?? null,
    answer: ctx.idempotency ? JSON.stringify(dispatched) : null,
  });
  return dispatched;
}
