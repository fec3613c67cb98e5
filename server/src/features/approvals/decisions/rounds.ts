import { type Decider, decidersOf, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { type Participant, participantOf } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { titleOf } from "../../../kernel/title.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";
import type { LiveSkill } from "../../agents/public.ts";
import {
  addDeciders,
  judgeRevision,
  judgeToolCall,
  lockTask,
  pinnedSkill,
  putCallApproval,
  reviseTask,
  type SaidOfRevision,
  type TaskRow,
  taskApprovalRequired,
} from "../../tasks/public.ts";
import { personsOf } from "../requests/persons.ts";
import {
  type ApprovalRequest,
  approvalOfCall,
  approvalOfTask,
  type NewApprovalRow,
  requesterOfRow,
  summaryToTell,
} from "../requests/request.ts";
import { demandAgain, insertRound, keepInput, staysEscalated } from "../requests/rounds.ts";
import { expiryAgain, expiryOf } from "../requests/rules.ts";
import { type ApprovalRow, lockApproval } from "../requests/store.ts";

// A changed action needs a new approval: of the next round, with a nonce and digest of its own and no votes.

/** A round that is over. Approval and task are locked, in this order. */
export interface EndedRound {
  readonly approval: ApprovalRow;
  readonly task: TaskRow;
  readonly skill: LiveSkill;
}

type Input = Readonly<Record<string, unknown>>;

interface NewRound {
  readonly said: SaidOfRevision;
  readonly editedBy: Participant | null;
  /** Everybody who decides by the edit what is done; nobody where there is no editor. */
  readonly deciders: readonly Decider[];
  readonly tells: (demand: ApprovalDemand) => boolean;
}

interface OpenedRound {
  readonly row: NewApprovalRow;
  readonly task: TaskRow;
}

/** Gives the task another input and asks people about it; the approval of the round before keeps the input that it was asked for. */
export async function openRound(
  ctx: WriteContext,
  ended: EndedRound,
  input: Input,
  how: NewRound,
): Promise<OpenedRound> {
  const { approval, task, skill } = ended;
  const revision = judgeRevision(ctx, task, skill, input, how.said);
  const demand = demandAgain(approval, revision.demand);
  const about = { title: revision.title, riskLevel: revision.risk.level, demand };
  const row = approvalOfTask(requestOf(ctx, ended, { ...about, tool: null, input, editedBy: how.editedBy }));
  await keepInput(ctx, approval.id, task.input);
  const edited = await withEditor(ctx, ended, how);
  return open(ctx, approval, { row, demand }, how.tells(demand), (events) =>
    reviseTask(ctx, edited, revision, { approvalId: row.id, events }),
  );
}

/** The same for one tool call of a run: the new approval has the arguments with which the run goes on, and the task keeps its input. */
export async function openCallRound(
  ctx: WriteContext,
  ended: EndedRound,
  edits: Input,
  how: NewRound,
): Promise<OpenedRound> {
  const { approval, task, skill } = ended;
  const tool = skill.tools.find(({ name }) => name === approval.tool);
  if (!tool)
    throw refuse(
      conflict,
      `The task's agent version no longer has the tool ${approval.tool}; dispatch the work again.`,
    );
  const { risk, demand: now } = judgeToolCall(ctx, task, tool, how.said);
  const demand = demandAgain(approval, now);
  const about = { title: titleOf(tool.title, edits) ?? task.title, riskLevel: risk.level, demand };
  const row = approvalOfCall(
    requestOf(ctx, ended, { ...about, tool: tool.name, input: edits, editedBy: how.editedBy }),
  );
  const edited = await withEditor(ctx, ended, how);
  return open(ctx, approval, { row, demand }, how.tells(demand), (events) =>
    putCallApproval(ctx, edited, { approvalId: row.id, events }),
  );
}

/** Whoever edits a call is accountable for what the run does after it, too. */
const withEditor = (ctx: WriteContext, { task }: EndedRound, { deciders }: NewRound): Promise<TaskRow> =>
  deciders.length === 0 ? Promise.resolve(task) : addDeciders(ctx, task, deciders);

function requestOf(
  ctx: WriteContext,
  { approval, task }: EndedRound,
  {
    tool,
    input,
    ...about
  }: Pick<ApprovalRequest, "title" | "demand" | "editedBy"> & {
    riskLevel: RiskLevel;
    tool: string | null;
    input: Input;
  },
): ApprovalRequest {
  return {
    ...about,
    id: ctx.newId("apr"),
    nonce: ctx.newId("req").slice(4),
    taskId: task.id,
    action: { agent: task.agent, version: task.version_id, skill: task.skill, tool, arguments: input },
    versionNumber: task.version_number,
    requester: {
      id: approval.requester,
      persons: unite(requesterOfRow(approval).persons, storedDeciders(task.deciders)),
    },
    expiry: expiryOf(ctx, about.riskLevel, about.demand, expiryAgain(approval), staysEscalated(approval, about.demand)),
    round: approval.round + 1,
    previousId: approval.id,
  };
}

async function open(
  ctx: WriteContext,
  before: ApprovalRow,
  { row, demand }: { readonly row: NewApprovalRow; readonly demand: ApprovalDemand },
  tells: boolean,
  change: (events: 0 | 1) => Promise<TaskRow>,
): Promise<OpenedRound> {
  const task = await change(tells ? 1 : 0);
  await insertRound(ctx, row, before, demand);
  ctx.aboutApproval(row.id);
  if (tells) tell(ctx, row, task);
  return { row, task };
}

function tell(ctx: WriteContext, row: NewApprovalRow, task: TaskRow): void {
  const approve_url = `${ctx.appUrl}/approvals/${task.id}`;
  const body = {
    task_id: task.id,
    agent: task.agent,
    risk: row.risk_level as ApprovalRow["risk_level"],
    summary: summaryToTell(task, row),
    approve_url,
  };
  ctx.emit(taskApprovalRequired, body, { id: task.id, sequence: task.event_count });
}

/**
 * Puts a task that was sent back before people again, with another input that its pinned skill accepts. Somebody other than the requester counts as its
 * editor. Locks the approval, then the task: call it before the task is locked, or after `lockApprovalBeforeTask`.
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
  const editor = participantOf(ctx.principal);
  const isOther = !isRequester(editor, approval);
  const round = await openRound(ctx, { approval, task: locked, skill }, input, {
    said,
    editedBy: isOther ? editor : null,
    deciders: isOther ? decidersOf(ctx, "edited", `approval:${approval.id}`) : [],
    tells: () => true,
  });
  return round.task;
}

/** Whether everybody accountable for an edit is accountable for the request already: then it has no other editor. */
function isRequester({ id, accountable }: Participant, approval: ApprovalRow): boolean {
  return (
    id === approval.requester &&
    personsOf(accountable).every((person) => approval.requester_accountable.includes(person))
  );
}
