import { isoTime } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { conflict, invalidBody, notFound } from "../../../kernel/problems.ts";
import { cancelOpenTask, lockTask } from "../../tasks/public.ts";
import { decidedBefore, detailOf, lockOpen } from "../decisions/decide.ts";
import { eventOf } from "../decisions/delegate.ts";
import type { LoadedApproval } from "../decisions/load.ts";
import { isOpen, isOverdue } from "../decisions/rules.ts";
import { requesterOfRow } from "../requests/request.ts";
import { type DecidableApproval, findApproval, lockApproval } from "../requests/store.ts";
import type { ApprovalDetail } from "../schemas.ts";
import { claimedByOther, notRequester } from "./errors.ts";
import { approvalClaimed, approvalExtended, approvalReleased, approvalWithdrawn } from "./events.ts";
import { claimOf } from "./rules.ts";
import { noteActivity, setClaim, setExtended } from "./store.ts";

// Who works on an approval, more time for it, and taking it back. None of these is a vote, nor keeps anybody from one.

/** Throws where another person's claim has not lapsed. */
function refuseClaimed(ctx: WriteContext, approval: DecidableApproval): void {
  const claim = claimOf(approval, ctx.now);
  if (!claim || claim.by.id === ctx.principal.id) return;
  const detail = `${claim.by.name} claimed it until ${claim.until}; ask them to release it. You may decide all the same.`;
  throw refuse(claimedByOther, detail, { members: { claimed_by: claim.by.id, claimed_until: claim.until } });
}

/** Only those who may decide claim it, so that nobody waits for somebody who cannot. */
export async function claim(ctx: WriteContext, loaded: LoadedApproval, minutes: number): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded);
  refuseClaimed(ctx, approval);
  const until = new Date(ctx.now + minutes * 60_000);
  await setClaim(ctx, approval.id, until);
  await noteActivity(ctx, approval.id, { kind: "claimed", until });
  ctx.emit(approvalClaimed, { ...eventOf(ctx, approval), by: ctx.principal.id, until: isoTime(until) });
  return detailOf(ctx, approval.id, task);
}

/** Ends a claim; of somebody else's only an admin does. Without a claim it changes nothing. */
export async function release(ctx: WriteContext, loaded: LoadedApproval): Promise<ApprovalDetail> {
  const approval = await lockKnown(ctx, loaded);
  if (claimOf(approval, ctx.now) !== null) {
    if (ctx.principal.role !== "admin") refuseClaimed(ctx, approval);
    await setClaim(ctx, approval.id, null);
    await noteActivity(ctx, approval.id, { kind: "released" });
    ctx.emit(approvalReleased, { ...eventOf(ctx, approval), by: ctx.principal.id });
  }
  return detailOf(ctx, approval.id, loaded.task);
}

async function lockKnown(ctx: WriteContext, loaded: LoadedApproval): Promise<DecidableApproval> {
  await lockApproval(ctx, loaded.approval.id);
  const approval = await findApproval(ctx, loaded.approval.id);
  if (!approval) throw refuse(notFound, "The approval is gone.");
  return approval;
}

/** Lets it wait longer: all extensions together by at most the time that it had at first. */
export async function extend(
  ctx: WriteContext,
  loaded: LoadedApproval,
  { seconds, reason }: { seconds: number; reason: string },
): Promise<ApprovalDetail> {
  const { approval, task } = await lockOpen(ctx, loaded);
  const { expires_at, created_at, extended_seconds } = approval;
  if (expires_at === null) throw refuse(conflict, "It has no end, so that it waits as long as it takes.");
  if (isOverdue(approval, ctx.now)) throw refuse(conflict, `It ended at ${isoTime(expires_at)}; admins decide it now.`);
  const first = Math.floor((expires_at.getTime() - created_at.getTime()) / 1000) - extended_seconds;
  const left = first - extended_seconds;
  if (seconds > left) {
    const rest = left < 60 ? "it cannot be extended again; decide it" : `give at most ${left}`;
    const detail = `is more than is left of the ${first} seconds that it had at first; ${rest}`;
    const fault: Fault = { pointer: "/seconds", code: "beyond_bound", detail };
    throw refuse(invalidBody, `/seconds: ${detail}.`, { errors: [fault] });
  }
  const until = await setExtended(ctx, approval.id, seconds);
  await noteActivity(ctx, approval.id, { kind: "extended", until, reason });
  ctx.emit(approvalExtended, { ...eventOf(ctx, approval), by: ctx.principal.id, expires_at: isoTime(until), reason });
  return detailOf(ctx, approval.id, task);
}

/** Ends what nobody decided yet, with its task, for who asked for it, or for an admin, who could cancel the task as well. */
export async function withdraw(ctx: WriteContext, loaded: LoadedApproval, reason: string): Promise<ApprovalDetail> {
  const approval = await lockKnown(ctx, loaded);
  const { id } = ctx.principal;
  const asked = requesterOfRow(approval).persons.some((one) => one.id === id && ["owner", "issuer"].includes(one.how));
  if (approval.requester !== id && !asked && ctx.principal.role !== "admin") {
    const detail = `It was asked for by ${approval.requester_name ?? approval.requester}, who withdraws it, or an admin.`;
    throw refuse(notRequester, detail, { stage: "permissions" });
  }
  if (!isOpen(approval, ctx.now)) throw decidedBefore(approval, ctx.now);
  const locked = await lockTask(ctx, approval.task_id);
  const task = locked?.approval_id === approval.id ? await cancelOpenTask(ctx, locked.id, reason) : undefined;
  if (!task) throw refuse(conflict, "Its task no longer waits for it; nothing was withdrawn.");
  await noteActivity(ctx, approval.id, { kind: "withdrawn", reason });
  const { approve_url: _page, ...about } = eventOf(ctx, approval);
  ctx.emit(approvalWithdrawn, { ...about, by: id, reason });
  return detailOf(ctx, approval.id, task);
}
