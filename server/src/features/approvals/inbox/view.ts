import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Hold } from "../../../kernel/hold.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { type HoldableTask, type Holding, runOf, standingHolds, type TaskRow, taskJson } from "../../tasks/public.ts";
import type { TaskState } from "../../tasks/schemas.ts";
import { callerOf } from "../decisions/load.ts";
import { isBound, isOpen, mayDecide, storedAction } from "../decisions/rules.ts";
import { type Party, party } from "../party.ts";
import { approvalsOf, needsPersonal } from "../requests/persons.ts";
import {
  approvalJson,
  type DecidableApproval,
  type KnownApproval,
  type MemberKind,
  type VoteRow,
} from "../requests/store.ts";
import { stageView } from "../rules/view.ts";
import type { Approval, ApprovalDetail } from "../schemas.ts";
import { claimOf } from "../work/rules.ts";
import { accountabilityOf } from "./accountability.ts";
import { standingInFor } from "./stand-ins.ts";
import { ifUndecided, notCountedBecause, requesterAllowedBecause, riskReasons, undecidableText } from "./wording.ts";

function partyOrNull(id: string | null, name: string | null, kind: MemberKind | null): Party | null {
  return id === null ? null : party(id, name, kind);
}

/** An approval as it is listed, with what else holds its task. */
export function approvalView(
  row: KnownApproval,
  ctx: Pick<CallContext, "appUrl" | "facts" | "scope" | "now">,
  { held, standingInFor }: { readonly held: Hold | null; readonly standingInFor: Party | null },
): Approval {
  return {
    approval_id: row.id,
    task_id: row.task_id,
    run: runOf(row),
    status: row.status,
    agent: row.agent,
    version: row.version_number,
    skill: row.skill,
    tool: row.tool,
    title: row.title,
    risk: row.risk_level,
    summary: row.summary,
    reasons: approvalJson(row, "reasons"),
    requester: party(row.requester, row.requester_name, row.requester_kind),
    requester_allowed: row.requester_allowed,
    requester_allowed_reason: requesterAllowedBecause(row, ctx.scope.environment),
    approvers: row.approvers,
    approvals: approvalsOf(countedVotes(row), row, isLive(row) && decidesStrictly(ctx)),
    required_by: requirementsOf(row),
    approve_url: `${ctx.appUrl}/approvals/${row.task_id}`,
    round: row.round,
    previous_id: row.previous_id,
    edited_by: partyOrNull(row.edited_by, row.editor_name, row.editor_kind),
    escalated_at: isoTime(row.escalated_at),
    escalated_by: partyOrNull(row.escalated_by, row.escalator_name, row.escalator_kind),
    expires_at: isoTime(row.expires_at),
    on_expiry: row.on_expiry,
    decided_at: isoTime(row.decided_at),
    decided_by: partyOrNull(row.decided_by, row.decider_name, row.decider_kind),
    reason: row.reason,
    consumed_at: isoTime(row.consumed_at),
    held_by: held,
    claim: claimOf(row, ctx.now),
    standing_in_for: standingInFor,
    created_at: isoTime(row.created_at),
  };
}

/** Of an approval from before names were kept, its policies by their ids. */
function requirementsOf(row: KnownApproval): Approval["required_by"] {
  const kept = approvalJson(row, "demanded");
  const unnamed = row.policies.filter((id) => !kept.some((one) => one.id === id));
  return [
    ...kept.map(({ kind, id, name, version, stages }) => ({ kind, id, name, version, stages: stages.map(stageView) })),
    ...unnamed.map((id) => ({ kind: "policy" as const, id, name: id, version: null, stages: [] })),
  ];
}

const judgedJson = storedJson<{ trust: ApprovalDetail["trust"] }>();

export async function approvalDetail(
  { approval, task }: { approval: DecidableApproval; task: TaskRow },
  ctx: CallContext & (ReadContext | WriteContext),
): Promise<ApprovalDetail> {
  const caller = await callerOf(ctx);
  const { tooFew, ...accountability } = await accountabilityOf(ctx, approval, caller.strict);
  const personal = needsPersonal(approval, caller.strict);
  const risk = taskJson(task, "risk");
  return {
    ...approvalView(approval, ctx, {
      held: await holdOfApproval(ctx, approval),
      standingInFor: standingInFor(caller, approval),
    }),
    environment: ctx.scope.environment,
    task_status: task.status,
    action: storedAction(approval, task),
    digest: approval.action_digest,
    digest_matches: isBound(approval, task),
    risk_assessment: { ...risk, reasons: riskReasons(risk) },
    trust: judgedJson(approval, "trust") ?? taskJson(task, "trust"),
    cost_usd: task.cost_usd,
    if_undecided: ifUndecided(approval, task),
    votes: countedVotes(approval).map((row) => voteView(row, approval, isLive(approval) && caller.strict)),
    delegations: approval.delegations.map(({ from, from_name, from_kind, to, to_name, to_kind, reason, at }) => ({
      from: party(from, from_name, from_kind),
      to: party(to, to_name, to_kind),
      reason,
      at: timestamp(at),
    })),
    ...accountability,
    personal_sign_in_required: personal,
    undecidable_reason: personal && !ctx.personalSignIn && isOpen(approval, ctx.now) ? undecidableText : tooFew,
    may_decide: mayDecide(caller, approval),
  };
}

/** Whether something may still come of its votes; of one that is over they counted as they were at the time. */
const isLive = ({ status }: KnownApproval): boolean => status === "pending" || status === "approved";

const countedVotes = (row: KnownApproval): VoteRow[] =>
  isLive(row) ? row.votes : row.votes.map((vote) => ({ ...vote, in_force: true, same_address: true }));

function voteView(row: VoteRow, approval: DecidableApproval, strict: boolean): ApprovalDetail["votes"][number] {
  const { voter, name, kind, on_behalf_of, behalf_name, behalf_kind, vote, reason, at } = row;
  const because = notCountedBecause(row, approval, strict);
  return {
    voter: party(voter, name, kind),
    on_behalf_of: partyOrNull(on_behalf_of, behalf_name, behalf_kind),
    vote,
    reason,
    counts: because === null,
    not_counted_reason: because,
    at: timestamp(at),
  };
}

export interface ListedApproval {
  readonly row: KnownApproval;
  readonly held: Hold | null;
}

/** Approvals with what holds their tasks besides people, before the vote and after it. */
export async function withHolds(ctx: Holding, rows: readonly KnownApproval[]): Promise<ListedApproval[]> {
  const holds = await standingHolds(ctx, rows.flatMap(holdableOf));
  return rows.map((row) => ({ row, held: holds.get(row.task_id) ?? null }));
}

export const holdOfApproval = async (ctx: Holding, row: KnownApproval): Promise<Hold | null> =>
  (await withHolds(ctx, [row]))[0]?.held ?? null;

function holdableOf(row: KnownApproval): HoldableTask[] {
  if (row.task === null) return [];
  const { status, finished_at, paused_at, ...task } = row.task;
  const { agent, version_id, version_number, skill, run_workflow } = row;
  return [
    {
      ...task,
      id: row.task_id,
      agent,
      version_id,
      version_number,
      skill,
      run_workflow,
      status: status as TaskState,
      approval_id: row.id,
      question: null,
      finished_at: finished_at === null ? null : new Date(finished_at),
      paused_at: paused_at === null ? null : new Date(paused_at),
    },
  ];
}
