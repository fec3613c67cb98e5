import { timestamp } from "../../kernel/clock.ts";
import type { CallContext } from "../../kernel/context.ts";
import type { TaskRow } from "../tasks/public.ts";
import type { Task } from "../tasks/schemas.ts";
import { isBound, mayDecide, storedAction } from "./model.ts";
import type { Approval, ApprovalDetail, Party } from "./schemas.ts";
import type { KnownApproval } from "./store.ts";
import { ifUndecided, riskReasons } from "./wording.ts";

const time = (at: Date | null): string | null => (at === null ? null : timestamp(at.getTime()));

function party(id: string, name: string | null, kind: "person" | "service_account" | null): Party {
  return { id, name: name ?? id, kind: kind ?? "system" };
}

/** An approval as it is listed. */
export function approvalView(row: KnownApproval, appUrl: string): Approval {
  return {
    approval_id: row.id,
    task_id: row.task_id,
    status: row.status,
    agent: row.agent,
    version: row.version_number,
    skill: row.skill,
    tool: row.tool,
    risk: row.risk_level,
    summary: row.summary,
    reasons: JSON.parse(row.reasons) as string[],
    requester: party(row.requester, row.requester_name, row.requester_kind),
    requester_allowed: row.requester_allowed,
    approvers: row.approvers,
    approvals: row.votes.filter(({ vote }) => vote === "approve").length,
    approve_url: `${appUrl}/approvals/${row.task_id}`,
    expires_at: time(row.expires_at),
    decided_at: time(row.decided_at),
    decided_by: row.decided_by === null ? null : party(row.decided_by, row.decider_name, row.decider_kind),
    reason: row.reason,
    consumed_at: time(row.consumed_at),
    created_at: timestamp(row.created_at.getTime()),
  };
}

/** An approval with everything that a decision needs, as this caller sees it. */
export function approvalDetail(row: KnownApproval, task: TaskRow, ctx: CallContext): ApprovalDetail {
  const risk = JSON.parse(task.risk) as Task["risk"];
  return {
    ...approvalView(row, ctx.appUrl),
    environment: ctx.scope.environment,
    task_status: task.status,
    action: storedAction(row, task),
    digest: row.action_digest,
    digest_fits: isBound(row, task),
    risk_assessment: { ...risk, reasons: riskReasons(risk) },
    trust: JSON.parse(task.trust) as ApprovalDetail["trust"],
    cost_usd: task.cost_usd,
    if_undecided: ifUndecided(row.status, row.expires_at, task.deadline),
    votes: row.votes.map(({ voter, name, kind, vote, reason, at }) => ({
      voter: party(voter, name, kind),
      vote,
      reason,
      at: timestamp(at),
    })),
    may_decide: mayDecide(ctx.principal, row, row.votes),
  };
}
