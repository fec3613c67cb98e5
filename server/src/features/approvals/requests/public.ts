import type { WriteContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { demandAgain } from "./again.ts";
import { approvalsOf, barredParties, shareAPerson } from "./persons.ts";
import { actionDigest, type BoundAction } from "./request.ts";
import { findApproval, keepTrust, lockApproval, settleApproved } from "./store.ts";
import type { ApprovalState } from "./words.ts";

/** What other slices may ask of approvals. */
export { askAgain, type RequestAgain } from "./again.ts";
export { consumedDemand } from "./consumed-demand.ts";
export { keyNotIndependent, noSecondPerson, noSecondPersonText, notSignedInPersonally, personsOnly } from "./errors.ts";
export { type AskedExpiry, type Expiry, expiryOf } from "./expiry.ts";
export { nextRound } from "./next-round.ts";
export { shareAPerson } from "./persons.ts";
export {
  type ApprovalRequest,
  actionDigest,
  approvalOfCall,
  approvalOfTask,
  type BoundAction,
  type NewApprovalRow,
  newApprovals,
  summaryOf,
} from "./request.ts";

/**
 * Uses an approval up for the action that is about to run, in the transaction that claims the task: at most once, and only for exactly
 * what was approved. `action` is the action as it is stored at this moment. `consumed`: go ahead. `stale`: something else would run than
 * was approved; the approval is spent and must be asked for anew. `lapsed`: the votes that count by now are too few, since a voter was removed,
 * lost the role or has another e-mail address; it is superseded, and people must be asked anew. `not_approved`: there is none, or it is not (or no longer) approved.
 * Locks the approval: call it before the task is locked.
 */
export async function consumeApproval(
  ctx: WriteContext,
  approvalId: string,
  action: Omit<BoundAction, "nonce">,
): Promise<"consumed" | "stale" | "lapsed" | "not_approved"> {
  const approval = await lockApproval(ctx, approvalId);
  if (approval?.status !== "approved") return "not_approved";
  const fits = actionDigest({ ...action, nonce: approval.nonce }) === approval.action_digest;
  const status = fits ? "consumed" : "stale";
  await settleApproved(ctx, approval.id, status);
  if (!fits || (await approvalMeets(ctx, approvalId, { ...approval, reasons: [] }))) return status;
  await supersedeApproval(
    ctx,
    approvalId,
    "A voter was removed since, lost the role that decides or has another e-mail address; people were asked anew.",
  );
  return "lapsed";
}

/** Locks an approval for a transaction that will lock or change its task as well: the approval always comes first, so that nobody waits in a circle. */
export async function lockApprovalBeforeTask(ctx: WriteContext, approvalId: string): Promise<void> {
  await lockApproval(ctx, approvalId);
}

/** Ends the open approval of a task that no longer needs one. */
export async function cancelOpenApproval(ctx: WriteContext, approvalId: string, reason: string): Promise<void> {
  await ctx.db.query(
    `update approvals set status = 'cancelled', reason = $4, decided_at = now(), decided_by = $5, revision = revision + 1, ${keepTrust}
     where organization = $1 and environment = $2 and id = $3 and status = any('{pending,approved}')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, reason, ctx.principal.id],
  );
}

/**
 * Takes back that an approval was used up, in the transaction that did so: what people gave is less than is demanded by now. Its votes stand, and it
 * keeps the input that it was given for. The one that is asked for in its place is of the next round (`nextRound`).
 */
export async function supersedeApproval(
  ctx: WriteContext,
  approvalId: string,
  reason = "More is demanded by now than people gave; they were asked anew.",
): Promise<void> {
  await ctx.db.query(
    `update approvals a set status = 'superseded', consumed_at = null, reason = $5,
       decided_at = now(), decided_by = $4, revision = revision + 1,
       arguments = coalesce(a.arguments, (select t.input from tasks t where t.organization = $1 and t.environment = $2 and t.id = a.task_id))
     where a.organization = $1 and a.environment = $2 and a.id = $3 and a.status = 'consumed'`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, ctx.principal.id, reason],
  );
}

/** What people said of one call of a tool. */
export interface CallSaid {
  readonly status: ApprovalState;
  /** It is of exactly this call; else of another one. */
  readonly same: boolean;
  /** What was said with the decision. */
  readonly reason: string | null;
  /** What it demands of people. */
  readonly demand: ApprovalDemand;
}

/** Where the approval of a call stands, and whether it is of exactly this one; undefined where there is none of that id. Locks it: call it before the task is locked. */
export async function saidOfCall(
  ctx: WriteContext,
  approvalId: string,
  action: Omit<BoundAction, "nonce">,
): Promise<CallSaid | undefined> {
  const approval = await lockApproval(ctx, approvalId);
  if (!approval) return undefined;
  const same = approval.tool !== null && actionDigest({ ...action, nonce: approval.nonce }) === approval.action_digest;
  return { status: approval.status, same, reason: approval.reason, demand: demandAgain(approval, null) };
}

/** A round of an approval of a call. */
interface Round {
  readonly status: ApprovalState;
  readonly action_digest: string;
  readonly nonce: string;
  /** JSON. */
  readonly arguments: string;
  readonly edited_by: string | null;
}

/**
 * The call that people want in the place of one, because they edited it before they approved: its arguments, and the approval of it. Null: they want it as
 * it is, or have not approved anything that came of it. `again`: what was approved was used up for this very call before.
 */
export async function editedCall(
  { scope, db }: Pick<WriteContext, "scope"> & { readonly db: Pick<WriteContext["db"], "query"> },
  approvalId: string,
  action: Omit<BoundAction, "nonce">,
  again: boolean,
): Promise<{ readonly approvalId: string; readonly arguments: Readonly<Record<string, unknown>> } | null> {
  const rounds = await db.query<Round>(
    `with recursive rounds as (
       select *, 0 as back from approvals where organization = $1 and environment = $2 and id = $3
       union all
       select a.*, r.back + 1 from rounds r join approvals a on a.organization = $1 and a.environment = $2 and a.id = r.previous_id and a.status = 'superseded')
     select status, action_digest, nonce, arguments, edited_by from rounds where tool is not null order by back`,
    [scope.organization, scope.environment, approvalId],
  );
  const [latest, ...earlier] = rounds;
  if (
    !latest ||
    latest.edited_by === null ||
    !(latest.status === "approved" || (again && latest.status === "consumed"))
  )
    return null;
  const isOf = ({ nonce, action_digest }: Round): boolean => actionDigest({ ...action, nonce }) === action_digest;
  if (isOf(latest) || !earlier.some(isOf)) return null;
  return { approvalId, arguments: JSON.parse(latest.arguments) as Record<string, unknown> };
}

/** The arguments of approvals of calls, by their ids. */
export async function argumentsOfCalls(
  db: Statements,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const rows = await db.query<{ id: string; arguments: string }>(
    "select id, arguments from approvals where organization = $1 and environment = $2 and id = any($3::text[]) and tool is not null",
    [scope.organization, scope.environment, ids],
  );
  return new Map(rows.map((row) => [row.id, JSON.parse(row.arguments) as Record<string, unknown>]));
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
 * Whether the persons who approved meet a demand, whatever was asked for when they did. Votes count whose voters may still decide, where a second person
 * is demanded in a strict environment those of personal credentials, and where the requester is not allowed those that lead neither to the requester nor
 * to who edited the action. A demand of null is always met. Says nothing of where the approval stands; locks nothing.
 */
export async function approvalMeets(
  ctx: WriteContext,
  approvalId: string,
  demand: ApprovalDemand | null,
): Promise<boolean> {
  if (!demand) return true;
  const approval = await findApproval(ctx, approvalId);
  if (!approval) return false;
  const taking = barredParties({ ...approval, requester_allowed: demand.requester_allowed });
  const votes = approval.votes.filter(({ accountable }) => !shareAPerson(accountable, taking));
  return approvalsOf(votes, demand, decidesStrictly(ctx)) >= demand.approvers;
}

/** Ends the open approval of a task whose deadline passed. Locks the approval: call it before the task is locked, or after `lockApprovalBeforeTask`. */
export async function expireOpenApproval(ctx: WriteContext, approvalId: string): Promise<void> {
  await ctx.db.query(
    `update approvals set status = 'expired', reason = 'The task passed its deadline.', decided_at = now(), decided_by = $4, revision = revision + 1, ${keepTrust}
     where organization = $1 and environment = $2 and id = $3 and status = any('{pending,approved}')`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, ctx.principal.id],
  );
}
