import { all, first, select } from "../../../db/scoped.ts";
import { type Decider, idsOf, storableDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { type ApprovalDemand, requirementKey } from "../../../kernel/verdict.ts";
import { connectionsChangedSince, decidesStrictly } from "../../admin/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { approvalsOf, barredParties, shareAPerson } from "./persons.ts";
import { countedFor } from "./places.ts";
import { actionDigest, type BoundAction, requesterOfRow } from "./request.ts";
import { areRulesMet } from "./required.ts";
import { demandAgain } from "./rounds.ts";
import type { ApprovalState } from "./rules.ts";
import {
  type ApprovalRow,
  approvalJson,
  demandOfRow,
  endApproval,
  findApproval,
  lockApproval,
  settleApproved,
} from "./store.ts";

export { keyNotIndependent, noSecondPerson, noSecondPersonText, notSignedInPersonally, personsOnly } from "./errors.ts";
export { shareAPerson } from "./persons.ts";
export {
  type ApprovalRequest,
  actionDigest,
  approvalOfCall,
  approvalOfTask,
  type BoundAction,
  type NewApprovalRow,
  newApprovals,
  type Requester,
  summaryOf,
  summaryToTell,
} from "./request.ts";
export { eraseApprovals } from "./resource.ts";
export { askAgain, nextRound, type RequestAgain } from "./rounds.ts";
export type { ApprovalState } from "./rules.ts";
export { type AskedExpiry, type Expiry, expiryOf } from "./rules.ts";
export { countWaiting, type WaitingApprovals } from "./store.ts";

/**
 * Uses up the approval of the action that is about to run, in the transaction that claims the task: once, and only for what was approved.
 *
 * - `consumed`: go ahead.
 * - `stale`: the stored action is another one than people approved. The approval is spent; ask again.
 * - `lapsed`: too few votes still count, as a voter was removed, lost the role or has another e-mail address, or a connection that the action uses was replaced
 *   since people were asked. It is superseded; ask again.
 * - `not_approved`: there is none, or it is not, or no longer, approved.
 *
 * Locks the approval: call it before the task is locked.
 */
export async function consumeApproval(
  ctx: WriteContext,
  approvalId: string,
  action: Omit<BoundAction, "nonce">,
  connections: readonly string[],
): Promise<"consumed" | "stale" | "lapsed" | "not_approved"> {
  const approval = await lockApproval(ctx, approvalId);
  if (approval?.status !== "approved") return "not_approved";
  const fits = actionDigest({ ...action, nonce: approval.nonce }) === approval.action_digest;
  const status = fits ? "consumed" : "stale";
  await settleApproved(ctx, approval.id, status);
  if (!fits) return status;
  if (connectionsChangedSince(ctx, connections, approval.created_at)) {
    await supersedeApproval(ctx, approvalId, "A connection that it uses was replaced since; people were asked again.");
    return "lapsed";
  }
  if (await approvalMeets(ctx, approvalId, demandOfRow(approval))) return status;
  await supersedeApproval(
    ctx,
    approvalId,
    "A voter was removed since, lost the role that decides or has another e-mail address; approval was requested again.",
  );
  return "lapsed";
}

/** The approval is always locked before its task, so that transactions cannot wait in a circle. */
export async function lockApprovalBeforeTask(ctx: WriteContext, approvalId: string): Promise<void> {
  await lockApproval(ctx, approvalId);
}

/**
 * Has persons count as asking for the approval of a whole task, who decided after that what its agent reads: their votes suffice no longer where another
 * person is demanded. `again`: also where it was used up by an attempt that has ended, as the next one relies on it. No approval that is over otherwise, or
 * of a call, changes. Locks the approval: call it before the task is locked, or after `lockApprovalBeforeTask`.
 */
export async function addRequesters(
  ctx: WriteContext,
  approvalId: string,
  added: readonly Decider[],
  again: boolean,
): Promise<void> {
  const approval = await lockApproval(ctx, approvalId);
  if (!approval || approval.tool !== null) return;
  if (!open.some((state) => state === approval.status) && !(again && approval.status === "consumed")) return;
  const persons = unite(requesterOfRow(approval).persons, added);
  await ctx.db.query(
    `update approvals set requester_accountable = $4, requesters = $5, revision = revision + 1
     where organization = $1 and environment = $2 and id = $3`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      approvalId,
      [...new Set([...approval.requester_accountable, ...idsOf(persons)])],
      storableDeciders(persons),
    ],
  );
}

const open = ["pending", "approved"] as const;

export async function cancelOpenApproval(ctx: WriteContext, id: string, reason: string): Promise<void> {
  await endApproval(ctx, { id, status: "cancelled", reason }, open);
}

/** Ends the open approval of a task whose deadline passed. Call it before the task is locked, or after `lockApprovalBeforeTask`. */
export async function expireOpenApproval(ctx: WriteContext, id: string): Promise<void> {
  await endApproval(ctx, { id, status: "expired", reason: "The task passed its deadline." }, open);
}

/**
 * Supersedes an approval that this transaction used up, because more is demanded now than people gave. Votes stand, and it keeps the input that it was
 * given for. `nextRound` describes the one that takes its place.
 */
export async function supersedeApproval(
  ctx: WriteContext,
  approvalId: string,
  reason = "More is demanded by now than people gave; approval was requested again.",
): Promise<void> {
  await ctx.db.query(
    `update approvals a set status = 'superseded', consumed_at = null, reason = $5,
       decided_at = now(), decided_by = $4, revision = revision + 1,
       arguments = coalesce(a.arguments, (select t.input from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = a.task_id))
     where a.organization = $1 and a.environment = $2 and a.id = $3 and a.status = 'consumed'`,
    [ctx.scope.organization, ctx.scope.environment, approvalId, ctx.principal.id, reason],
  );
}

export interface CallSaid {
  readonly status: ApprovalState;
  readonly same: boolean;
  readonly reason: string | null;
  readonly demand: ApprovalDemand;
}

/** The approval of a tool call, compared with the call as it is now. Locks it: call it before the task is locked. */
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

type Round = Pick<ApprovalRow, "status" | "action_digest" | "nonce" | "edited_by"> & { readonly arguments: string };

/**
 * The call that people approved in place of the agent's: its arguments and its approval. Null where nobody edited it or nothing is approved.
 * `again`: the approval may have been used up for this very call before.
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
  const approved = latest?.status === "approved" || (again && latest?.status === "consumed");
  if (!latest || latest.edited_by === null || !approved) return null;
  const isOf = ({ nonce, action_digest }: Round): boolean => actionDigest({ ...action, nonce }) === action_digest;
  if (isOf(latest) || !earlier.some(isOf)) return null;
  return { approvalId, arguments: approvalJson(latest, "arguments") };
}

export async function argumentsOfCalls(
  db: Statements,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const ctx = { db, scope };
  const calls = select(ctx, "approvals", "a").select(["a.id", "a.arguments"]).where("a.tool", "is not", null);
  const rows = await all(ctx, calls.where("a.id", "in", ids));
  return new Map(rows.map((row) => [row.id, approvalJson(row, "arguments") ?? {}]));
}

export async function approvalState(ctx: WriteContext, id: string): Promise<ApprovalState | undefined> {
  return (await first(ctx, select(ctx, "approvals", "a").select("a.status").where("a.id", "=", id)))?.status;
}

/** Whether an approval was used up, and no connection that it was given for was replaced since people were asked. */
export async function isConsumedFor(ctx: WriteContext, id: string, connections: readonly string[]): Promise<boolean> {
  const found = select(ctx, "approvals", "a").select(["a.status", "a.created_at"]).where("a.id", "=", id);
  const row = await first(ctx, found);
  return row?.status === "consumed" && !connectionsChangedSince(ctx, connections, row.created_at);
}

/** What a used-up approval was demanded with, besides its reasons; null: it is not used up. */
export async function consumedDemand(ctx: WriteContext, id: string): Promise<Omit<ApprovalDemand, "reasons"> | null> {
  const used = select(ctx, "approvals", "a").where("a.id", "=", id).where("a.status", "=", "consumed");
  const columns = ["a.approvers", "a.requester_allowed", "a.reasons", "a.policies", "a.demanded"] as const;
  const row = await first(ctx, used.select(columns));
  return row ? demandOfRow(row) : null;
}

/**
 * Whether the persons who approved meet a demand, as votes count now: only of voters who may still decide; only personal credentials where a second
 * person is demanded in a strict environment; not of requester or editor where the requester is not allowed. Where it was escalated, admins stand in the
 * place of those whom its own rules asked, not of those whom other rules of the demand ask. Null is always met. Locks nothing.
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
  const strict = decidesStrictly(ctx);
  const counted = countedFor(ctx, approval, strict);
  const asked = new Set(demandOfRow(approval).required_by.map(requirementKey));
  const [stood, others] = [true, false].map((its) =>
    (demand.required_by ?? []).filter((one) => asked.has(requirementKey(one)) === its),
  );
  return (
    approvalsOf(votes, demand, strict) >= demand.approvers &&
    areRulesMet({ ...demand, required_by: stood ?? [] }, votes, counted) &&
    areRulesMet({ ...demand, required_by: others ?? [] }, votes, { ...counted, escalated: false })
  );
}
