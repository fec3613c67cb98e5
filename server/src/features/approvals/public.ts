import { hash } from "node:crypto";
import { defineAppendTable } from "../../kernel/append.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import type { ApprovalState } from "./schemas.ts";
import { lockApproval, settleApproved } from "./store.ts";

/** Exactly what people approve: the action and the approval's own nonce, so that no approval fits another action or another time. */
export interface BoundAction {
  readonly agent: string;
  /** Id of the agent version, `ver_…`. */
  readonly version: string;
  readonly skill: string;
  /** Null: the task as a whole; else one call of this tool. */
  readonly tool: string | null;
  readonly arguments: unknown;
  readonly nonce: string;
}

/** SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of the action. */
export function actionDigest(action: BoundAction): string {
  const { agent, version, skill, tool, nonce } = action;
  const q = JSON.stringify;
  // The members in their canonical order, written out: only the arguments are of any shape.
  const text = `{"agent":${q(agent)},"arguments":${canonicalJson(action.arguments)},"nonce":${q(nonce)},"skill":${q(skill)},"tool":${q(tool)},"version":${q(version)}}`;
  return hash("sha256", text, "hex");
}

/** The row of a new approval, as dispatch and the runtime append it. */
export interface NewApprovalRow extends Record<string, unknown> {
  id: string;
  task_id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  tool: string | null;
  arguments: string | null;
  action_digest: string;
  nonce: string;
  risk_level: string;
  summary: string;
  /** JSON: a list of texts. */
  reasons: string;
  approvers: number;
  requester_allowed: boolean;
  requester: string;
}

/** Approvals are appended by whoever asks; deciding them is this slice's own. */
export const newApprovals = defineAppendTable<NewApprovalRow>({
  table: "approvals",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["task_id", "text"],
    ["agent", "text"],
    ["version_id", "text"],
    ["version_number", "int"],
    ["skill", "text"],
    ["tool", "text"],
    ["arguments", "text"],
    ["action_digest", "text"],
    ["nonce", "text"],
    ["risk_level", "text"],
    ["summary", "text"],
    ["reasons", "text"],
    ["approvers", "smallint"],
    ["requester_allowed", "boolean"],
    ["requester", "text"],
  ],
});

/** What an approval is asked for. */
export interface ApprovalRequest {
  readonly id: string;
  readonly nonce: string;
  readonly taskId: string;
  readonly action: Omit<BoundAction, "nonce">;
  readonly versionNumber: number;
  readonly riskLevel: string;
  readonly demand: ApprovalDemand;
  readonly requester: string;
}

/** The row of an approval of a whole task: its arguments are the task's input and are not stored twice. */
export function approvalOfTask(request: ApprovalRequest): NewApprovalRow {
  const { id, nonce, taskId, action, versionNumber, riskLevel, demand, requester } = request;
  return {
    id,
    nonce,
    task_id: taskId,
    agent: action.agent,
    version_id: action.version,
    version_number: versionNumber,
    skill: action.skill,
    tool: null,
    arguments: null,
    action_digest: actionDigest({ ...action, nonce }),
    risk_level: riskLevel,
    summary: summaryOf(action, demand),
    reasons: JSON.stringify(demand.reasons),
    approvers: demand.approvers,
    requester_allowed: demand.requester_allowed,
    requester,
  };
}

/** Why people are asked, in a short text. */
export function summaryOf(action: { agent: string; skill: string; tool: string | null }, demand: ApprovalDemand): string {
  const what = action.tool === null ? action.skill : `${action.tool} in ${action.skill}`;
  return `${action.agent} asks to run ${what}. ${demand.reasons.join(" ")}`;
}

/**
 * Uses an approval up for the action that is about to run, in the transaction that claims the task: at most once, and only for exactly
 * what was approved. `action` is the action as it is stored at this moment. `consumed`: go ahead. `stale`: something else would run than
 * was approved; the approval is spent and must be asked for anew. `not_approved`: there is none, or it is not (or no longer) approved.
 * Locks the approval: call it before the task is locked.
 */
export async function consumeApproval(
  ctx: WriteContext,
  approvalId: string,
  action: Omit<BoundAction, "nonce">,
): Promise<"consumed" | "stale" | "not_approved"> {
  const approval = await lockApproval(ctx, approvalId);
  if (approval?.status !== "approved") return "not_approved";
  const status = actionDigest({ ...action, nonce: approval.nonce }) === approval.action_digest ? "consumed" : "stale";
  await settleApproved(ctx, approval.id, status);
  return status;
}

/** Locks an approval for a transaction that will lock or change its task as well: the approval always comes first, so that nobody waits in a circle. */
export async function lockApprovalBeforeTask(ctx: WriteContext, approvalId: string): Promise<void> {
  await lockApproval(ctx, approvalId);
}

/** Ends the open approval of a task that no longer needs one. */
export async function cancelOpenApproval(ctx: WriteContext, approvalId: string, reason: string): Promise<void> {
  await ctx.db.query(
    `update approvals set status = 'cancelled', reason = $4, decided_at = now(), decided_by = $5
     where organization = $1 and environment = $2 and id = $3 and status = any('{pending,approved}')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, reason, ctx.principal.id],
  );
}

/** Where an approval stands; undefined where there is none of that id. */
export async function approvalState(ctx: WriteContext, approvalId: string): Promise<ApprovalState | undefined> {
  const rows = await ctx.db.query<{ status: ApprovalState }>(
    "select status from approvals where organization = $1 and environment = $2 and id = $3",
    [ctx.scope.organization, ctx.scope.environment, approvalId],
  );
  return rows[0]?.status;
}

/**
 * Whether the persons who approved meet a demand, whatever was asked for when they did. A voter has one vote; where the requester is not
 * allowed, the requester's does not count. A demand of null is always met. Says nothing of where the approval stands; locks nothing.
 */
export async function approvalMeets(ctx: WriteContext, approvalId: string, demand: ApprovalDemand | null): Promise<boolean> {
  if (!demand) return true;
  const [found] = await ctx.db.query<{ persons: number }>(
    `select count(*)::int as persons
     from approvals a join approval_votes v on v.organization = a.organization and v.environment = a.environment and v.approval_id = a.id
     where a.organization = $1 and a.environment = $2 and a.id = $3 and v.vote = 'approve' and ($4 or v.voter <> a.requester)`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, demand.requester_allowed],
  );
  return (found?.persons ?? 0) >= demand.approvers;
}

/** Ends the open approval of a task whose deadline passed. Locks the approval: call it before the task is locked. */
export async function expireOpenApproval(ctx: WriteContext, approvalId: string): Promise<void> {
  await ctx.db.query(
    `update approvals set status = 'expired', reason = 'The task passed its deadline.', decided_at = now(), decided_by = $4, revision = revision + 1
     where organization = $1 and environment = $2 and id = $3 and status = any('{pending,approved}')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, ctx.principal.id],
  );
}
