import { insertRow } from "../../../../db/insert-row.ts";
import { storedActor, storedDeciders } from "../../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { Risk } from "../../../../kernel/risk.ts";
import type { ApprovalDemand, Governed, RedactDemand, RunLimits } from "../../../../kernel/verdict.ts";
import { resolveActor, surelyMayGoOn } from "../../../admin/public.ts";
import {
  approvalMeets,
  approvalOfTask,
  approvalState,
  askAgain,
  cancelOpenApproval,
  consumeApproval,
  expiryOf,
  isConsumedFor,
  lockApprovalBeforeTask,
  type NewApprovalRow,
  newApprovals,
  supersedeApproval,
} from "../../../approvals/requests/public.ts";
import { approvalFor } from "../../dispatch/rules.ts";
import { taskApprovalRequired, taskBlocked, taskStarted } from "../../events.ts";
import { lockTask, type TaskRow, updateTaskStatus } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { holdClaim } from "../guards.ts";
import type { HeldRun } from "../holds.ts";
import {
  auditOfTask,
  connectionsOf,
  type Ended,
  endedAs,
  inputOfRow,
  type LoadedTask,
  loadTask,
  requesterOf,
  runFacts,
} from "../rules.ts";
import { awaitApproval, claimTask } from "../store.ts";

export interface StartTask {
  readonly task: string;
  /** Names the claim, which owns the lease. */
  readonly owner: string;
}

export type Started =
  /** `redact`: what of the input to redact for the run. `waitedMs`: how long it was queued. */
  | {
      readonly claimed: true;
      readonly held: HeldRun;
      readonly limits: RunLimits | null;
      readonly redact: RedactDemand | null;
      readonly waitedMs: number;
    }
  | { readonly claimed: false; readonly reason: "blocked"; readonly ended?: Ended }
  | { readonly claimed: false; readonly reason: "not_queued" | "awaiting_approval" | "held" };

/** The state of the task's approval: used up now, too weak by now, no longer valid, edited, or not given. */
type Said = "consumed" | "outgrown" | "over" | "stale" | "not_approved";

/** A worker claims a queued task: gate and policies decide now, the approval is used up, the lease begins. */
export const startTask: InsideOperation<StartTask, Started> = defineInside({
  id: "tasks.startTask",
  summary: "Start a task",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task }: StartTask) => loadTask(ctx, task),
  gate: (_ctx, { loaded: { row } }: { loaded: LoadedTask }) => ({ agent: row.agent, versionId: row.version_id }),
  compliance: governs(
    "task.run",
    (ctx: CallContext, { loaded }: { params: StartTask; query: undefined; body: undefined; loaded: LoadedTask }) =>
      runFacts(ctx, loaded, inputOfRow(loaded.row)),
    { waits: true },
  ),
  audit: ({ params, loaded, output }) => ({
    ...auditOfTask(params.task, loaded?.row, output && "ended" in output ? output.ended : undefined),
    approval: loaded?.row.approval_id ?? null,
  }),
  emits: [taskStarted, taskBlocked, taskApprovalRequired],
  errors: [conflict],
  // A task without an approval is claimed as it was read.
  together(ctx, { params, loaded, facts, governed: { approval, tags, limits, redact } }): Started | undefined {
    const { row } = loaded;
    if (row.status !== "queued" || row.approval_id !== null) return undefined;
    if (!taskSurelyMayGoOn(ctx, row)) return undefined;
    if (approvalFor(ctx, facts.assessed, approval, row.require_approval)) return undefined;
    refuseUntimely(ctx, row);
    const claimed = holdClaim(ctx, row, params.owner, tags);
    ctx.emit(taskStarted, ...eventOf(claimed));
    return {
      claimed: true,
      held: { work: { ...loaded, row: claimed }, resumed: row.started_at !== null, late: null, turn: null },
      limits,
      redact,
      waitedMs: waited(ctx, row),
    };
  },
  async handle(ctx, { params, loaded, facts, governed }): Promise<Started> {
    const claim = { id: params.task, owner: params.owner, tags: governed.tags, governed };
    const stopped = await whyTaskMayNotGoOn(ctx, loaded.row);
    if (stopped !== null) return blockStopped(ctx, loaded, stopped);
    const { approval_id, require_approval } = loaded.row;
    const demand = approvalFor(ctx, facts.assessed, governed.approval, require_approval);
    if (approval_id !== null) return startApproved(ctx, loaded, claim, facts.assessed, demand);
    if (demand === null || (await isCovered(ctx, loaded, demand))) return begin(ctx, loaded, claim);
    const more = { ...demand, reasons: [...demand.reasons, ...outgrownCover(loaded.row)] };
    return askPeople(ctx, loaded, facts.assessed, more);
  },
});

/** Whether an approval of an earlier step of the run included this very task, as strictly as needed. */
const isCovered = async (ctx: WriteContext, work: LoadedTask, demand: ApprovalDemand): Promise<boolean> => {
  const { covered_by: id } = work.row;
  return id !== null && (await isConsumedFor(ctx, id, connectionsOf(work))) && (await approvalMeets(ctx, id, demand));
};

const outgrownCover = ({ covered_by }: TaskRow): string[] =>
  covered_by === null ? [] : ["More is demanded by now than people gave when they approved it at an earlier step."];

/** Of several workers one starts the task; the records of the others say that they did not. */
const notQueued = () => refuse(conflict, "The task is not queued any more; another worker was faster, or it ended.");
const tooEarly = (at: Date) => refuse(conflict, `The task is not to be started before ${at.toISOString()}.`);
const overdue = () => refuse(conflict, "The deadline of the task has passed; it expires.");

type Claim = {
  readonly id: string;
  readonly owner: string;
  readonly tags: readonly string[];
  readonly governed: Governed;
};

/** Claims the task as it was loaded; somebody else may have been faster. */
async function begin(ctx: WriteContext, work: LoadedTask, claim: Claim): Promise<Started> {
  refuseUntimely(ctx, work.row);
  const row = await claimTask(ctx, { ...claim, approvalId: work.row.approval_id, versionId: work.row.version_id });
  if (!row) throw notQueued();
  ctx.emit(taskStarted, ...eventOf(row));
  const resumed = row.started_at?.getTime() !== row.updated_at.getTime(); // one statement sets both where a run begins
  const { limits, redact } = claim.governed;
  return {
    claimed: true,
    held: { work: { ...work, row }, resumed, late: null, turn: null },
    limits,
    redact,
    waitedMs: waited(ctx, work.row),
  };
}

/** In milliseconds. */
const waited = (ctx: CallContext, queued: TaskRow): number => Math.max(0, ctx.now - queued.updated_at.getTime());

/**
 * Starts a task of which people were asked: uses their approval up, blocks what they did not approve, and asks again where more is
 * demanded by now than they gave, or where a task is tried again whose approval ended without being given. What is compared with the
 * approval is the row under its lock, not the one that was loaded before. Approval first, then task, as everybody locks.
 */
async function startApproved(
  ctx: WriteContext,
  work: LoadedTask,
  claim: Claim,
  risk: Risk,
  demand: ApprovalDemand | null,
): Promise<Started> {
  await lockApprovalBeforeTask(ctx, work.row.approval_id as string);
  const row = await lockTask(ctx, claim.id);
  if (row?.status !== "queued" || row.approval_id !== work.row.approval_id) throw notQueued();
  refuseUntimely(ctx, row);
  const said = row.call_approval
    ? await askCallApproval(ctx, { ...work, row }, demand)
    : await askApproval(ctx, { ...work, row }, row.approval_id as string, demand);
  if (said === "outgrown" || said === "over") return askPeople(ctx, { ...work, row }, risk, demand);
  return said === "stale" || said === "not_approved" ? blockStart(ctx, row, said) : begin(ctx, work, claim);
}

/**
 * A run that waited for the approval of one of its calls goes on: the call itself uses that up, when it comes to it. What is demanded of the task as a whole
 * is looked at again; where that is more than people gave, they are asked about the task, and then about the call again.
 */
async function askCallApproval(ctx: WriteContext, work: LoadedTask, demand: ApprovalDemand | null): Promise<Said> {
  const { row } = work;
  const call = row.approval_id as string;
  const state = await approvalState(ctx, call);
  if (state !== "approved" && state !== "consumed" && state !== "changes_requested") return "not_approved";
  const none: Said = demand === null ? "consumed" : "outgrown";
  const said = row.run_approval_id === null ? none : await askApproval(ctx, work, row.run_approval_id, demand);
  if (said === "outgrown" || said === "over")
    await cancelOpenApproval(
      ctx,
      call,
      "More is demanded of the task as a whole by now than people gave; they were asked about that.",
    );
  return said;
}

/** Uses the task's approval up; one that an earlier attempt used up stays so. */
async function askApproval(
  ctx: WriteContext,
  work: LoadedTask,
  id: string,
  demand: ApprovalDemand | null,
): Promise<Said> {
  const connections = connectionsOf(work);
  const said = await consumeApproval(ctx, id, actionOf(work.row), connections);
  if (said === "stale") return said;
  if (said === "lapsed") return "over";
  if (said === "not_approved") {
    const state = await approvalState(ctx, id);
    if (state === undefined || state === "pending") return said;
    if (!(await isConsumedFor(ctx, id, connections))) return "over";
  }
  if (await approvalMeets(ctx, id, demand)) return "consumed";
  if (said === "consumed") await supersedeApproval(ctx, id);
  return "outgrown";
}

const actionOf = (row: TaskRow) => ({
  agent: row.agent,
  version: row.version_id,
  skill: row.skill,
  tool: null,
  arguments: inputOfRow(row),
});

/** Leaves a passed deadline to the sweeper, an early start to a later wake-up, and a paused task to who resumes it. */
function refuseUntimely(ctx: CallContext, { deadline, not_before, paused_at }: TaskRow): void {
  if (paused_at !== null) throw refuse(conflict, "The task is paused.");
  if (deadline !== null && deadline.getTime() <= ctx.now) throw overdue();
  if (not_before !== null && not_before.getTime() > ctx.now) throw tooEarly(not_before);
}

/** Blocks a task in whose name nobody may act any longer. Approval first, then task, as everybody locks. */
async function blockStopped(ctx: WriteContext, { row }: LoadedTask, why: string): Promise<Started> {
  if (row.approval_id !== null) {
    await lockApprovalBeforeTask(ctx, row.approval_id);
    await cancelOpenApproval(ctx, row.approval_id, `The task may not go on: ${why}.`);
  }
  const detail = `The task's owner may no longer run it: ${why}. Dispatch it again with a valid credential.`;
  return block(ctx, row, { code: "actor_not_permitted", detail });
}

async function blockStart(ctx: WriteContext, row: TaskRow, said: "stale" | "not_approved"): Promise<Started> {
  const failure =
    said === "stale"
      ? {
          code: "approval_stale",
          detail:
            "What would run is no longer what people approved; try it again, or dispatch it again, to request approval again.",
        }
      : {
          code: "not_approved",
          detail:
            "The task's approval is not, or no longer, given; try it again, or dispatch it again, to request approval again.",
        };
  return block(ctx, row, failure);
}

async function block(ctx: WriteContext, row: TaskRow, failure: { code: string; detail: string }): Promise<Started> {
  const blocked = await updateTaskStatus(ctx, {
    id: row.id,
    from: ["queued"],
    to: "blocked",
    events: 1,
    failure: JSON.stringify(failure),
  });
  if (!blocked) throw notQueued();
  ctx.emit(taskBlocked, ...eventOf(blocked));
  return { claimed: false, reason: "blocked", ended: endedAs(blocked) };
}

/** Makes the task wait: gate, policies or risk require an approval, or a stricter one, or the earlier one was not given. */
async function askPeople(
  ctx: WriteContext,
  work: LoadedTask,
  risk: Risk,
  demand: ApprovalDemand | null,
): Promise<Started> {
  const { row } = work;
  const approval = await askFor(ctx, work, risk, demand);
  const waiting = await awaitApproval(ctx, row.id, approval.id, row.approval_id);
  if (!waiting) throw notQueued();
  ctx.aboutApproval(approval.id);
  const approve_url = `${ctx.appUrl}/approvals/${row.id}`;
  const body = { task_id: row.id, agent: row.agent, risk: risk.level, summary: approval.summary, approve_url };
  ctx.emit(taskApprovalRequired, body, { id: row.id, sequence: waiting.event_count });
  return { claimed: false, reason: "awaiting_approval" };
}

/** Stores an approval of the whole task; after an earlier one as its next round, which keeps all requirements of that. */
async function askFor(
  ctx: WriteContext,
  work: LoadedTask,
  risk: Risk,
  demand: ApprovalDemand | null,
): Promise<NewApprovalRow> {
  const { row } = work;
  const request = {
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId: row.id,
    title: row.title,
    action: actionOf(row),
    versionNumber: row.version_number,
    riskLevel: risk.level,
    requester: await requesterOf(ctx, work),
  };
  const earlier = row.call_approval ? row.run_approval_id : row.approval_id;
  if (earlier !== null) return askAgain(ctx, earlier, request, { demand, input: row.input });
  if (demand === null) throw new TypeError("people are asked where something is demanded of them");
  const approval = approvalOfTask({ ...request, demand, expiry: expiryOf(ctx, risk.level, demand, null) });
  await insertRow(ctx, newApprovals, approval);
  return approval;
}

type Acting = Pick<TaskRow, "principal" | "key_id" | "deciders" | "agent" | "conversation" | "run_id">;

/** What a task's owner needs while it goes on: one of the permissions that dispatching it took. */
const permissionsOf = ({ conversation, run_id: run }: Acting): readonly string[] =>
  conversation !== null ? ["chat:write"] : run !== null ? ["workflows:run", "missions:run"] : ["tasks:write"];

/** Whether memory says that the task may go on in its owner's name; false: ask `whyTaskMayNotGoOn`. */
export const taskSurelyMayGoOn = (ctx: CallContext, row: Acting): boolean =>
  permissionsOf(row).some((permission) => surelyMayGoOn(ctx, row.principal, row.key_id, permission, row.agent));

/** Why a task may not go on in its owner's name; null: it may. */
export async function whyTaskMayNotGoOn(ctx: ReadContext | WriteContext, row: Acting): Promise<string | null> {
  if (taskSurelyMayGoOn(ctx, row)) return null;
  const { principal: owner, key_id: key, deciders, agent } = row;
  const bounds = { role: null, scopes: null, agents: null, environment: ctx.scope.environment };
  const credential = owner.startsWith("system:") ? { system: owner } : key === null ? { session: null } : { key };
  const stored = storedActor({ owner, credential, bounds, persons: storedDeciders(deciders) });
  let why: string | null = null;
  for (const permission of permissionsOf(row)) {
    const { stopped = null } = await resolveActor(ctx, stored, permission, [agent]);
    if (stopped === null) return null;
    why ??= stopped;
  }
  return why;
}
