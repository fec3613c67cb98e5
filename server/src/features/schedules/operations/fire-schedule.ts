import { insertRow } from "../../../db/insert-row.ts";
import { type Actor, keyOfActor, storedActor, withConfirmed } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../kernel/problems.ts";
import { type Governed, strictest } from "../../../kernel/verdict.ts";
import { isConfirmed, resolveActor } from "../../admin/public.ts";
import { findKnownAgent, type KnownAgent, type LiveSkill, type LiveVersion } from "../../agents/public.ts";
import { lockApprovalBeforeTask, newApprovals } from "../../approvals/requests/public.ts";
import {
  acceptTask,
  agentNotDeployed,
  cancelOpenTask,
  findTask,
  liveContentDeciders,
  newTasks,
  riskOf,
  startingTrust,
  taskApprovalRequired,
  taskCancelled,
  taskCreated,
  type Work,
} from "../../tasks/public.ts";
import { limitsOfRun } from "../budget.ts";
import { scheduleContent } from "../content.ts";
import { scheduleBudgetSpent, scheduleNotPermitted } from "../errors.ts";
import { schedules } from "../resource.ts";
import { taskFaults } from "../rules.ts";
import { type DueSchedule, insertRun, isOpenTask } from "../store.ts";
import type { ScheduleRow } from "../view.ts";

interface Loaded {
  readonly schedule: ScheduleRow;
  readonly agent: KnownAgent;
  readonly version: LiveVersion;
  readonly skill: LiveSkill;
  readonly actor: Actor;
}
type Given = { params: DueSchedule; query: undefined; body: undefined; loaded: Loaded };

/** Dispatches the task of a schedule whose time has come, on behalf of its account. Each time once, whichever process tries it. */
export const fireSchedule: InsideOperation<DueSchedule, { readonly task: string }> = defineInside({
  id: "agents.fireSchedule",
  summary: "Dispatch the task of a schedule",
  permission: exempt("the sweeper of the service itself, for the schedule's account, whose permissions are looked at"),
  load: (ctx, due: DueSchedule) => loadDue(ctx, due),
  gate: (_ctx, { loaded: { agent, version } }: { loaded: Loaded }) => ({ agent: agent.agent, versionId: version.id }),
  compliance: governs("task.dispatch", (ctx, { loaded }: Given) => policyFacts(ctx, loaded), {
    waits: true,
    inputOf: "task",
    spends: (_ctx, { loaded: { agent, actor } }) => ({
      agent: agent.agent,
      keyId: keyOfActor(actor),
      principal: actor.owner,
      demand: { tasks: 1 },
    }),
  }),
  audit: ({ params, output }) =>
    output ? { object: `task:${output.task}`, task: output.task } : `schedule:${params.schedule}`,
  emits: [taskCreated, taskApprovalRequired, taskCancelled],
  errors: [conflict, invalidBody, agentNotDeployed, scheduleNotPermitted, scheduleBudgetSpent],
  handle: (ctx, { params, loaded, facts, governed }) => fire(ctx, params, loaded, facts.work, governed),
});

async function loadDue(ctx: ReadContext, { schedule: id }: DueSchedule): Promise<Loaded | undefined> {
  const schedule = await schedules.rows.find(ctx, id);
  const agent = schedule && findKnownAgent(ctx, schedule.agent);
  if (!schedule || !agent) return undefined;
  const { task, input = {} } = schedule.definition;
  const version = agent.archived ? null : agent.live;
  if (!version) throw refuse(agentNotDeployed, `${agent.agent} is not deployed in ${ctx.scope.environment}.`);
  const actor = await actorOfSchedule(ctx, schedule);
  const [fault] = taskFaults(agent, { task, input });
  const skill = version.skills.get(task);
  if (fault || !skill) throw refuse(invalidBody, `The skill does not take it: ${fault?.pointer} ${fault?.detail}.`);
  return { schedule, agent, version, skill, actor };
}

/** The schedule's actor, if it may still dispatch, without those who decided what a second person has looked at. */
async function actorOfSchedule(ctx: ReadContext | WriteContext, schedule: ScheduleRow): Promise<Actor> {
  const { actor, stopped } = await resolveActor(ctx, storedActor(schedule.actor), "tasks:write", [schedule.agent]);
  if (!actor) throw refuse(scheduleNotPermitted, `${stopped}.`);
  const content = scheduleContent(schedule);
  return (await isConfirmed(ctx, content)) ? withConfirmed(actor, content.object) : actor;
}

/** The facts that policies see; the handler acts on the same ones. */
function policyFacts(ctx: CallContext, { schedule, agent, version, skill }: Loaded) {
  const { task, input = {} } = schedule.definition;
  const trust = startingTrust(ctx, version.id, task);
  const risk = riskOf(skill, trust.low);
  const { level, score, impact, likelihood } = risk;
  return {
    agent: { name: agent.agent, labels: agent.labels },
    version: { number: version.number, id: version.id },
    skill: { name: task },
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    work: { version, skill, input, trust, risk } satisfies Work,
  };
}

async function fire(
  ctx: WriteContext,
  due: DueSchedule,
  { agent, actor }: Loaded,
  work: Work,
  stages: Governed,
): Promise<{ task: string }> {
  const schedule = await schedules.rows.lock(ctx, due.schedule);
  if (schedule?.due_at?.getTime() !== due.at.getTime()) throw refuse(conflict, "Another process has tried this time.");
  const { id, definition, last_task } = schedule;
  if (await isOpenTask(ctx, last_task)) await giveWay(ctx, definition.overlap, last_task as string);
  const bounds = await limitsOfRun(ctx, schedule, work);
  const governed = bounds === null ? stages : { ...stages, limits: strictest(stages.limits, bounds) };
  const { task, approval } = acceptTask(ctx, actor, work, governed, {
    content: liveContentDeciders(ctx, work.version, work.skill),
    agent: agent.agent,
    task: definition.task,
    requireApproval: definition.require_approval ?? false,
    priority: definition.priority ?? 0,
    deadline: null,
    notBefore: null,
    approval: null,
    labels: [...(definition.labels ?? []), `schedule:${id}`],
  });
  if (approval) await insertRow(ctx, newApprovals, approval);
  await insertRow(ctx, newTasks, task);
  await insertRun(ctx, due, task.id);
  const none = { due_at: null, try_at: null, last_error: null, last_error_at: null };
  await schedules.rows.update(ctx, id, { ...none, last_at: due.at, last_task: task.id });
  return { task: task.id };
}

/** Cancels the task before where the schedule says so; else it is awaited. */
async function giveWay(ctx: WriteContext, overlap: string | undefined, before: string): Promise<void> {
  if (overlap !== "cancel_previous") throw refuse(conflict, "The task before it is not over.");
  const approval = (await findTask(ctx, before))?.approval_id;
  if (approval) await lockApprovalBeforeTask(ctx, approval);
  await cancelOpenTask(ctx, before, "Its schedule dispatched the next task.");
}
