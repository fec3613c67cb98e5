import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { conflict, invalidBody } from "../../kernel/problems.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { decidesStrictly } from "../admin/public.ts";
import { detailOf, lockOpen, ownVote, votedBefore } from "./decide.ts";
import { countOtherAdmins, insertDelegation, lockCandidate, setEscalated } from "./delegate-store.ts";
import { approvalDelegated, approvalEscalated } from "./events.ts";
import type { LoadedApproval } from "./load.ts";
import { isEscalated } from "./model.ts";
import { approvalsOf, barredParties, counts, decidePermission } from "./requests/persons.ts";
import type { ApprovalRow, DecidableApproval } from "./requests/store.ts";
import type { ApprovalDetail, DelegateBody } from "./schemas.ts";

/** Either a person or the admins. */
export function delegateFaults({ to, escalate }: DelegateBody): Fault[] {
  if (to === undefined && escalate === undefined) {
    return [
      {
        pointer: "/to",
        code: "required",
        detail: "is required: give the id of a person, or `escalate: true` to hand it to the admins",
      },
    ];
  }
  if (to === undefined || escalate === undefined) return [];
  return [
    {
      pointer: "/escalate",
      code: "one_of",
      detail: "cannot be given together with to; hand it to one person or to the admins",
    },
  ];
}

/** Hands the caller's decision to a person, who decides in the caller's place. */
export async function delegateTo(
  ctx: WriteContext,
  loaded: LoadedApproval,
  to: string,
  reason: string,
): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded);
  const own = ownVote(ctx, approval);
  if (own) throw votedBefore(own);
  const unfit = await unfitness(ctx, approval, to);
  if (unfit) throw refuse(invalidBody, `/to: ${unfit.detail}.`, { errors: [unfit] });
  await insertDelegation(ctx, { approvalId: approval.id, to, reason });
  ctx.emit(approvalDelegated, { ...eventOf(ctx, approval), from: ctx.principal.id, to, reason });
  return detailOf(ctx, approval.id, task);
}

/** Why a decision cannot be handed to somebody; undefined where it can. */
async function unfitness(ctx: WriteContext, approval: DecidableApproval, to: string): Promise<Fault | undefined> {
  const cannot = (detail: string): Fault => ({ pointer: "/to", code: "cannot_decide", detail });
  const { environment } = ctx.scope;
  if (to === ctx.principal.id) return cannot(`${to} is you; name another person`);
  const candidate = await lockCandidate(ctx, to);
  if (!candidate) return { pointer: "/to", code: "unknown_member", detail: `${to} is no member; use the id of one` };
  const { kind, role, name } = candidate;
  if (kind !== "person") return cannot(`${to} (${name}) is a service account; only persons decide`);
  if (role === null || !roleGrants(role, decidePermission)) {
    return cannot(
      `${to} (${name}) is ${role ?? "nothing"} in ${environment}; name a person whose role includes ${decidePermission}`,
    );
  }
  if (isEscalated(approval, ctx.now) && role !== "admin")
    return cannot(`${to} (${name}) is no admin, and it was escalated: name an admin`);
  if (barredParties(approval).includes(to)) {
    return cannot(
      `${to} (${name}) asked for this or edited it, or is accountable for the credential with which that was done, and the approval demands another person; name somebody else`,
    );
  }
  const counted = approval.votes.filter((vote) => counts(vote, approval, decidesStrictly(ctx)));
  if (counted.some(({ voter }) => voter === to))
    return cannot(`${to} (${name}) has voted already; name somebody who has not`);
  if (approval.delegations.some(({ from }) => from === to))
    return cannot(`${to} (${name}) handed it on before; name somebody else`);
  return undefined;
}

/** Hands the decision to the admins, for everybody. Refuses with `wrong_state` where that was done before, or too few admins could approve it. */
export async function escalateByHand(
  ctx: WriteContext,
  loaded: LoadedApproval,
  reason: string,
): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded);
  if (approval.escalated_at === null) await refuseTooFewAdmins(ctx, approval);
  await escalate(ctx, approval, reason);
  return detailOf(ctx, approval.id, task);
}

/** As many admins as approvals are missing have to be able to approve it still: else nobody could bring it to its end but by rejecting it. */
async function refuseTooFewAdmins(ctx: WriteContext, approval: DecidableApproval): Promise<void> {
  const strict = decidesStrictly(ctx);
  const voted = approval.votes.filter((vote) => counts(vote, approval, strict)).map(({ voter }) => voter);
  const gone = [...barredParties(approval), ...voted, ...approval.delegations.map(({ from }) => from)];
  const admins = await countOtherAdmins(ctx, gone);
  const missing = approval.approvers - approvalsOf(approval.votes, approval, strict);
  if (admins >= missing) return;
  const few =
    admins === 0
      ? "There is no admin"
      : `There ${admins === 1 ? "is" : "are"} only ${admins} admin${admins === 1 ? "" : "s"}`;
  const wanted = `${missing} ${missing === 1 ? "approval is" : "approvals are"} missing`;
  throw refuse(
    conflict,
    `${few} in ${ctx.scope.environment} who could approve it, and ${wanted}; it was not escalated.`,
  );
}

/** Lets only admins decide a pending approval from now on, and tells of it. */
export async function escalate(ctx: WriteContext, approval: ApprovalRow, reason: string): Promise<void> {
  if (!(await setEscalated(ctx, approval.id))) throw refuse(conflict, "It was escalated before: admins decide it.");
  ctx.emit(approvalEscalated, { ...eventOf(ctx, approval), by: ctx.principal.id, reason });
}

/** The common members of events about a pending approval. */
export function eventOf(ctx: WriteContext, { id, task_id, agent, risk_level }: ApprovalRow) {
  return { approval_id: id, task_id, agent, risk: risk_level, approve_url: `${ctx.appUrl}/approvals/${task_id}` };
}
