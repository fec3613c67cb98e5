import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { conflict, invalidBody, notFound } from "../../../kernel/problems.ts";
import { decidesStrictly } from "../../admin/public.ts";
import { type JudgedCase, recordJudgements } from "../../agents/public.ts";
import {
  addDeciders,
  lockTask,
  queueApprovedTask,
  queueSentBack,
  rejectTask,
  type TaskRow,
} from "../../tasks/public.ts";
import { approvalDetail } from "../inbox/view.ts";
import { counts } from "../requests/persons.ts";
import { countedFor } from "../requests/places.ts";
import { asksOf, hasRules, type RuleVote } from "../requests/required.ts";
import {
  type ApprovalRow,
  type DecidableApproval,
  demandOfRow,
  endApproval,
  findApproval,
  insertVote,
  lockApproval,
  noteAsked,
  type VoteRow,
} from "../requests/store.ts";
import type { ApprovalDetail } from "../schemas.ts";
import { alreadyDecided, alreadyVoted, digestMismatch } from "./errors.ts";
import { approvalDecided } from "./events.ts";
import { type LoadedApproval, requireSeat } from "./load.ts";
import { decidersIn, decisionOf, isBound, isOpen, isOverdue, needsDigest, type Seat } from "./rules.ts";

/** A vote as its caller sends it. `digest` is that of what was shown; it may be left out at low and medium risk. */
export type Ballot = { readonly digest: string | undefined } & (
  | { readonly vote: "approve"; readonly reason: string | null }
  | { readonly vote: "reject"; readonly reason: string }
);

/** Requires the digest at high and critical risk. Of later rounds that is checked under the lock, which a repetition of the call that opened the round does not reach. */
export function ballotFaults({ loaded, body }: { loaded: LoadedApproval; body: { digest?: string } }): Fault[] {
  return loaded.approval.round === 1 ? unshownFaults(loaded.approval, body.digest) : [];
}

function unshownFaults(approval: ApprovalRow, digest: string | undefined): Fault[] {
  if (digest !== undefined || !needsDigest(approval)) return [];
  const detail = `is required, because the risk is ${approval.risk_level}: send \`digest\` of the approval as it was shown`;
  return [{ pointer: "/digest", code: "required", detail }];
}

export interface Locked {
  readonly approval: DecidableApproval;
  readonly task: TaskRow;
  /** In whose name the caller decides. */
  readonly seat: Seat;
}

/** Locks a pending approval, then its task, for a caller who may decide it: judged after all earlier decisions. `tightening`: see `seatOf`. */
export async function lockOpen(
  ctx: WriteContext,
  { approval: { id } }: LoadedApproval,
  tightening = false,
): Promise<Locked> {
  await lockApproval(ctx, id);
  const approval = await findApproval(ctx, id);
  const task = approval && (await lockTask(ctx, approval.task_id));
  if (!approval || !task) throw refuse(notFound, "The approval or its task is gone.");
  const seat = await requireSeat(ctx, approval, tightening);
  if (!isOpen(approval, ctx.now)) throw decidedBefore(approval, ctx.now);
  if (seat.delegation !== null) ctx.note(`in the place of ${seat.onBehalfOf} by ${seat.delegation}`);
  return { approval, task, seat };
}

/** Casts the caller's vote and carries out what it decides. The same vote again decides where enough of the others count by now. */
export async function castVote(ctx: WriteContext, loaded: LoadedApproval, ballot: Ballot): Promise<ApprovalDetail> {
  return castLocked(ctx, await lockOpen(ctx, loaded, ballot.vote === "reject"), ballot);
}

export async function castLocked(ctx: WriteContext, locked: Locked, ballot: Ballot): Promise<ApprovalDetail> {
  const { approval, task } = locked;
  refuseUnbound(approval, task, ballot.digest);
  const own = ownVote(ctx, approval);
  if (!own) return vote(ctx, locked, ballot);
  if (own.vote !== ballot.vote) throw votedBefore(own);
  return carryOut(ctx, locked, approval.votes, ballot);
}

/** The caller's earlier vote, if it counts; else it is replaced. */
export function ownVote(ctx: WriteContext, approval: DecidableApproval): VoteRow | undefined {
  return approval.votes.find((vote) => vote.voter === ctx.principal.id && counts(vote, approval, decidesStrictly(ctx)));
}

/** Stores a first vote and carries out what it decides. `seat`: as of this round, or handed on in the one before that the same call ended. */
export async function vote(ctx: WriteContext, locked: Locked, ballot: Ballot): Promise<ApprovalDetail> {
  const { approval, seat } = locked;
  await insertVote(ctx, {
    approvalId: approval.id,
    vote: ballot.vote,
    digest: approval.action_digest,
    reason: ballot.reason,
    ...seat,
  });
  const { id, personal } = ctx.principal;
  const others = approval.votes.filter(({ voter }) => voter !== id);
  const own = {
    voter: id,
    on_behalf_of: seat.onBehalfOf,
    stands_in: seat.delegation !== null,
    vote: ballot.vote,
    accountable: seat.accountable,
    personal,
    in_force: true,
  };
  return carryOut(ctx, locked, [...others, own], ballot);
}

async function carryOut(
  ctx: WriteContext,
  locked: Locked,
  votes: readonly RuleVote[],
  ballot: Ballot,
): Promise<ApprovalDetail> {
  const { approval, task } = locked;
  const required = demandOfRow(approval);
  const counted = countedFor(ctx, approval, decidesStrictly(ctx));
  const decided = decisionOf(votes, required, counted) !== "pending";
  if (!decided && hasRules(required)) await noteAsked(ctx, approval.id, asksOf(required, votes, counted));
  return detailOf(ctx, approval.id, decided ? await settle(ctx, locked, ballot) : task);
}

/** Sends the action back: a whole task waits for another input; of a tool call the agent is informed, and its run goes on. */
export async function sendBack(
  ctx: WriteContext,
  loaded: LoadedApproval,
  { note, digest }: { note: string; digest?: string },
): Promise<ApprovalDetail> {
  const locked = await lockOpen(ctx, loaded, true);
  const { approval, task, seat } = locked;
  refuseUnbound(approval, task, digest);
  const own = ownVote(ctx, approval);
  if (own) throw votedBefore(own);
  if (task.status !== "awaiting_approval")
    throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be sent back.`);
  await decide(ctx, locked, "changes_requested", note);
  if (approval.tool === null) return detailOf(ctx, approval.id, task);
  // The model reads the note, so that its writer decides what it calls next.
  await addDeciders(ctx, task, decidersIn(ctx, seat, "note", `approval:${approval.id}`));
  return detailOf(ctx, approval.id, await queueSentBack(ctx, task));
}

async function settle(ctx: WriteContext, locked: Locked, ballot: Ballot): Promise<TaskRow> {
  const { task } = locked;
  await decide(ctx, locked, ballot.vote === "approve" ? "approved" : "rejected", ballot.reason);
  return ballot.vote === "approve" ? await queueApprovedTask(ctx, task) : await rejectTask(ctx, task, ballot.reason);
}

async function decide(
  ctx: WriteContext,
  { approval, seat }: Locked,
  decision: "approved" | "rejected" | "changes_requested",
  reason: string | null,
): Promise<void> {
  const decided = await endApproval(ctx, { id: approval.id, status: decision, reason });
  if (!decided) throw decidedBefore(approval, ctx.now);
  await recordJudgements(ctx, judgementOf(approval, decision));
  ctx.emit(approvalDecided, {
    approval_id: approval.id,
    task_id: approval.task_id,
    agent: approval.agent,
    risk: approval.risk_level,
    decision,
    decided_by: ctx.principal.id,
    on_behalf_of: seat.onBehalfOf,
    decided_at: isoTime(decided.decided_at),
    reason,
  });
}

/** A decision on a tool call judges the agent, and an edited call was not accepted. One on a whole task judges the request, before anything ran. */
function judgementOf(
  { task_id: id, tool, agent, version_id, skill, edited_by }: ApprovalRow,
  decision: string,
): JudgedCase[] {
  if (tool === null) return [];
  const outcome = decision === "approved" && edited_by === null ? 1 : 0;
  return [{ agent, skill, version_id, id, source: "approval", origin: "volunteered", outcome, case: {} }];
}

export async function detailOf(ctx: WriteContext, id: string, task: TaskRow): Promise<ApprovalDetail> {
  const approval = await findApproval(ctx, id);
  if (!approval) throw refuse(notFound, "The approval is gone.");
  return approvalDetail({ approval, task }, ctx);
}

/** Approval of A never runs B: neither where the voter saw another action, nor where the stored one was changed. */
export function refuseUnbound(approval: ApprovalRow, task: TaskRow, shown: string | undefined): void {
  const errors = unshownFaults(approval, shown);
  if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
  if (!isBound(approval, task)) {
    throw refuse(
      digestMismatch,
      "The stored action is no longer the one that approval was asked for, so it cannot be decided; cancel the task and dispatch it again.",
    );
  }
  if (shown !== undefined && shown !== approval.action_digest) {
    throw refuse(
      digestMismatch,
      "`digest` is not that of the action that waits: you saw something else. Read the approval again before you decide.",
      {
        members: { digest: approval.action_digest },
      },
    );
  }
}

/** One whose time is over counts as expired, though the sweep has not ended it yet. */
export function decidedBefore(approval: ApprovalRow, now: number): Error {
  const { decided_by, decided_at, expires_at } = approval;
  const lapsed = isOverdue(approval, now);
  const status = lapsed ? "expired" : approval.status;
  const at = isoTime(lapsed ? expires_at : decided_at);
  const by = decided_by === null ? "" : ` by ${decided_by}`;
  const how =
    status === "expired" ? `, since ${at}: nobody decided in time` : `, decided${by}${at === null ? "" : ` at ${at}`}`;
  return refuse(alreadyDecided, `The approval is ${status}${how}. Nothing was changed.`, {
    members: { approval_status: status, decided_by, decided_at: at },
  });
}

export function votedBefore(own: VoteRow): Error {
  const voted_at = timestamp(own.at);
  return refuse(alreadyVoted, `You voted to ${own.vote} at ${voted_at}; a vote stands, have another person decide.`, {
    members: { vote: own.vote, voted_at },
  });
}
