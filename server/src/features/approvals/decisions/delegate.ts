import type { WriteContext } from "../../../kernel/context.ts";
import { counted } from "../../../kernel/count.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { conflict, invalidBody } from "../../../kernel/problems.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { barredParties, counts, decidePermission } from "../requests/persons.ts";
import { countedFor } from "../requests/places.ts";
import { isAsked, missingOf, missingWith } from "../requests/required.ts";
import { type ApprovalRow, type DecidableApproval, demandOfRow } from "../requests/store.ts";
import type { ApprovalDetail, DelegateBody } from "../schemas.ts";
import { detailOf, lockOpen, ownVote, votedBefore } from "./decide.ts";
import { approvalDelegated, approvalEscalated } from "./events.ts";
import type { LoadedApproval } from "./load.ts";
import { isEscalated } from "./rules.ts";
import { insertDelegation, listOtherAdmins, lockCandidate, setEscalated } from "./store.ts";

export function delegateFaults({ to, escalate }: DelegateBody): Fault[] {
  if (to === undefined && escalate === undefined) {
    const detail = "is required: give the id of a person, or `escalate: true` to hand it to the admins";
    return [{ pointer: "/to", code: "required", detail }];
  }
  if (to === undefined || escalate === undefined) return [];
  const detail = "cannot be given together with to; hand it to one person or to the admins";
  return [{ pointer: "/escalate", code: "one_of", detail }];
}

export async function delegateTo(
  ctx: WriteContext,
  loaded: LoadedApproval,
  to: string,
  reason: string,
): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded);
  const own = ownVote(ctx, approval);
  if (own) throw votedBefore(own);
  const fault = await delegateFault(ctx, approval, to);
  if (fault) throw refuse(invalidBody, `/to: ${fault.detail}.`, { errors: [fault] });
  await insertDelegation(ctx, { approvalId: approval.id, to, reason });
  ctx.emit(approvalDelegated, { ...eventOf(ctx, approval), from: ctx.principal.id, to, reason });
  return detailOf(ctx, approval.id, task);
}

async function delegateFault(ctx: WriteContext, approval: DecidableApproval, to: string): Promise<Fault | undefined> {
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
  if (approval.votes.some((vote) => vote.voter === to && counts(vote, approval, decidesStrictly(ctx))))
    return cannot(`${to} (${name}) has voted already; name somebody who has not`);
  if (approval.delegations.some(({ from }) => from === to))
    return cannot(`${to} (${name}) handed it on before; name somebody else`);
  const counted = countedFor(ctx, approval, decidesStrictly(ctx));
  if (!isAsked(demandOfRow(approval), approval.votes, counted, ownVoteOf(to)))
    return cannot(`${to} (${name}) is not among those whom its approval rules ask now; name one of them`);
  return undefined;
}

export async function escalateByHand(
  ctx: WriteContext,
  loaded: LoadedApproval,
  reason: string,
): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded, true);
  if (approval.escalated_at === null) await refuseTooFewAdmins(ctx, approval);
  await escalate(ctx, approval, reason);
  return detailOf(ctx, approval.id, task);
}

const ownVoteOf = (voter: string) => ({ voter, on_behalf_of: null, stands_in: false });

/** With fewer admins than missing approvals it could only be rejected. */
async function refuseTooFewAdmins(ctx: WriteContext, approval: DecidableApproval): Promise<void> {
  const strict = decidesStrictly(ctx);
  const voted = approval.votes.filter((vote) => counts(vote, approval, strict)).map(({ voter }) => voter);
  const gone = [...barredParties(approval), ...voted, ...approval.delegations.map(({ from }) => from)];
  const admins = await listOtherAdmins(ctx, gone);
  const required = demandOfRow(approval);
  const then = { ...countedFor(ctx, approval, strict), escalated: true, escalatedBy: ctx.principal.id };
  if (missingWith(required, approval.votes, admins, then) === 0) return;
  const missing = missingOf(required, approval.votes, then);
  const able = admins.filter((id) => isAsked(required, approval.votes, then, ownVoteOf(id)));
  const few = `Only ${counted(able.length, "admin")} in ${ctx.scope.environment} could approve it`;
  throw refuse(conflict, `${few}, and it needs ${counted(missing, "more approval")}; it was not escalated.`);
}

export async function escalate(ctx: WriteContext, approval: ApprovalRow, reason: string): Promise<void> {
  if (!(await setEscalated(ctx, approval.id))) throw refuse(conflict, "It was escalated before: admins decide it.");
  ctx.emit(approvalEscalated, { ...eventOf(ctx, approval), by: ctx.principal.id, reason });
}

export function eventOf(ctx: WriteContext, { id, task_id, agent, risk_level }: ApprovalRow) {
  return { approval_id: id, task_id, agent, risk: risk_level, approve_url: `${ctx.appUrl}/approvals/${task_id}` };
}
