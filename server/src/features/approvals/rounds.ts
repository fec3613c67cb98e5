import type { WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { type Actor, actorOf } from "../../kernel/principal.ts";
import { conflict } from "../../kernel/problems.ts";
import { titleOf } from "../../kernel/title.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import type { LiveSkill } from "../agents/public.ts";
import {
  judgeRevision,
  judgeToolCall,
  lockTask,
  pinnedSkill,
  putCallApproval,
  reviseTask,
  type SaidOfRevision,
  type TaskRow,
  taskApprovalRequired,
} from "../tasks/public.ts";
import { demandAgain } from "./requests/again.ts";
import { expiryAgain, expiryOf } from "./requests/expiry.ts";
import { personsOf } from "./requests/persons.ts";
import { approvalOfCall, approvalOfTask, type NewApprovalRow } from "./requests/request.ts";
import { insertRound, keepInput } from "./requests/round-store.ts";
import { type ApprovalRow, lockApproval } from "./requests/store.ts";

// An action that was changed is asked for anew: a new approval, of the next round, with a nonce and digest of its own and no votes.

/** What a new round comes from. Approval and task are locked, in this order; the approval is of the task as a whole, and its round is over. */
export interface Ended {
  readonly approval: ApprovalRow;
  readonly task: TaskRow;
  readonly skill: LiveSkill;
}

/**
 * Gives the task another input and asks people for it anew; the approval that ended keeps the input that it was asked for. What was demanded before is
 * still demanded, at least; the time to decide begins anew; one that was escalated stays so, and no longer ends by being escalated. `tells`: whether the task's event is to tell of it.
 */
export async function openRound(
  ctx: WriteContext,
  { approval, task, skill }: Ended,
  input: Readonly<Record<string, unknown>>,
  how: {
    readonly said: SaidOfRevision;
    readonly editedBy: Actor | null;
    readonly tells: (demand: ApprovalDemand) => boolean;
  },
): Promise<{ row: NewApprovalRow; task: TaskRow }> {
  const revision = judgeRevision(ctx, task, skill, input, how.said);
  const demand = demandAgain(approval, revision.demand);
  const tells = how.tells(demand);
  const row = approvalOfTask({
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId: task.id,
    title: revision.title,
    action: { agent: task.agent, version: task.version_id, skill: task.skill, tool: null, arguments: input },
    versionNumber: task.version_number,
    riskLevel: revision.risk.level,
    demand,
    requester: { id: approval.requester, accountable: approval.requester_accountable },
    expiry: expiryOf(ctx, revision.risk.level, expiryAgain(approval), approval.escalated_at !== null),
    round: approval.round + 1,
    previousId: approval.id,
    editedBy: how.editedBy,
  });
  await keepInput(ctx, approval.id, task.input);
  const revised = await reviseTask(ctx, task, revision, { approvalId: row.id, events: tells ? 1 : 0 });
  await insertRound(ctx, row, { escalatedAt: approval.escalated_at, escalatedBy: approval.escalated_by });
  ctx.aboutApproval(row.id);
  if (tells) tell(ctx, row, revised);
  return { row, task: revised };
}

/**
 * The same for one call of a tool in mid-run: its arguments are those of the new approval, and the task's own input stays as it is. The run goes on with them in place of
 * those that the agent wanted.
 */
export async function openCallRound(
  ctx: WriteContext,
  { approval, task, skill }: Ended,
  edits: Readonly<Record<string, unknown>>,
  how: {
    readonly said: SaidOfRevision;
    readonly editedBy: Actor | null;
    readonly tells: (demand: ApprovalDemand) => boolean;
  },
): Promise<{ row: NewApprovalRow; task: TaskRow }> {
  const tool = skill.tools.find(({ name }) => name === approval.tool);
  if (!tool)
    throw refuse(
      conflict,
      `The version that the task pins has no tool ${approval.tool} any more; dispatch the work again.`,
    );
  const { risk, demand: now } = judgeToolCall(ctx, task, tool, how.said);
  const demand = demandAgain(approval, now);
  const tells = how.tells(demand);
  const row = approvalOfCall({
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId: task.id,
    title: titleOf(tool.title, edits) ?? task.title,
    action: { agent: task.agent, version: task.version_id, skill: task.skill, tool: tool.name, arguments: edits },
    versionNumber: task.version_number,
    riskLevel: risk.level,
    demand,
    requester: { id: approval.requester, accountable: approval.requester_accountable },
    expiry: expiryOf(ctx, risk.level, expiryAgain(approval), approval.escalated_at !== null),
    round: approval.round + 1,
    previousId: approval.id,
    editedBy: how.editedBy,
  });
  const waiting = await putCallApproval(ctx, task, { approvalId: row.id, events: tells ? 1 : 0 });
  await insertRound(ctx, row, { escalatedAt: approval.escalated_at, escalatedBy: approval.escalated_by });
  ctx.aboutApproval(row.id);
  if (tells) tell(ctx, row, waiting);
  return { row, task: waiting };
}

function tell(ctx: WriteContext, row: NewApprovalRow, task: TaskRow): void {
  const approve_url = `${ctx.appUrl}/approvals/${task.id}`;
  const body = {
    task_id: task.id,
    agent: task.agent,
    risk: row.risk_level as ApprovalRow["risk_level"],
    summary: row.summary,
    approve_url,
  };
  ctx.emit(taskApprovalRequired, body, { id: task.id, sequence: task.event_count });
}

/**
 * Puts a task that was sent back before people again, with another input, as the next round of its approval. `input` is one that the pinned skill takes, `said` what policies
 * said of a dispatch of it.
 * Somebody other than the requester counts as who edited it. Refuses with `wrong_state` where the task's latest approval was not sent back. Locks the approval and then the task: call it before the task is
 * locked, or after `lockApprovalBeforeTask`. Emits `task.approval_required`; answers the task as it stands then.
 */
export async function resubmit(
  ctx: WriteContext,
  task: TaskRow,
  input: Readonly<Record<string, unknown>>,
  said: SaidOfRevision,
): Promise<TaskRow> {
  const approval = task.approval_id === null ? undefined : await lockApproval(ctx, task.approval_id);
  const locked = await lockTask(ctx, task.id);
  if (approval?.status !== "changes_requested" || approval.tool !== null || locked?.approval_id !== approval.id) {
    throw refuse(conflict, "The task's input can be changed only while its latest approval is sent back for changes.");
  }
  const skill = await pinnedSkill(ctx, locked);
  if (!skill)
    throw refuse(conflict, "The agent version that the task pins can no longer be read; dispatch the work again.");
  const editor = actorOf(ctx.principal);
  const round = await openRound(ctx, { approval, task: locked, skill }, input, {
    said,
    editedBy: isRequester(editor, approval) ? null : editor,
    tells: () => true,
  });
  return round.task;
}

/** Whether everybody accountable for an edit is accountable for the request already: then it has no other editor. */
function isRequester({ id, accountable }: Actor, approval: ApprovalRow): boolean {
  return (
    id === approval.requester &&
    personsOf(accountable).every((person) => approval.requester_accountable.includes(person))
  );
}
