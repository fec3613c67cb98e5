import { timestamp } from "../../kernel/clock.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { notFound } from "../../kernel/problems.ts";
import { lockTask, queueApprovedTask, rejectTask, type TaskRow } from "../tasks/public.ts";
import { alreadyDecided, alreadyVoted, digestMismatch } from "./errors.ts";
import { approvalDecided } from "./events.ts";
import { type LoadedApproval, refuseBarred } from "./load.ts";
import { isBound, needsDigest, outcomeOf } from "./model.ts";
import type { ApprovalDetail, VoteWord } from "./schemas.ts";
import { type ApprovalRow, decideApproval, findApproval, insertVote, listVotes, lockApproval } from "./store.ts";
import { approvalDetail } from "./view.ts";

/** A vote as its caller sends it. `digest` is that of what was shown; it may be left out at low and medium risk. */
export type Ballot = { readonly digest: string | undefined } & (
  | { readonly vote: "approve"; readonly reason: string | null }
  | { readonly vote: "reject"; readonly reason: string }
);

/** What the schema of a vote cannot say: that grave actions are decided by who has seen them. */
export function ballotFaults({ loaded, body }: { loaded: LoadedApproval; body: { digest?: string } }): Fault[] {
  if (body.digest !== undefined || !needsDigest(loaded.approval)) return [];
  const detail = `is required, because the risk is ${loaded.approval.risk_level}: send \`digest\` of the approval as it was shown`;
  return [{ pointer: "/digest", code: "required", detail }];
}

/**
 * Casts the caller's vote and, where it decides, ends the approval and moves its task on, all in the call's transaction. The approval is
 * locked first, then its task, as in every transaction that needs both: votes on one approval come one after the other.
 */
export async function castVote(ctx: WriteContext, approvalId: string, ballot: Ballot): Promise<ApprovalDetail> {
  const approval = await lockApproval(ctx, approvalId);
  const task = approval && (await lockTask(ctx, approval.task_id));
  if (!approval || !task) throw refuse(notFound, "The approval or its task is gone.");
  refuseBarred(ctx, approval);
  if (approval.status !== "pending") throw decidedBefore(approval);
  refuseUnbound(approval, task, ballot.digest);
  const votes = await listVotes(ctx, approval.id);
  const own = votes.find(({ voter }) => voter === ctx.principal.id);
  if (own) {
    if (own.vote !== ballot.vote) throw votedBefore(own);
    return await detailOf(ctx, approval.id, task);
  }
  await insertVote(ctx, { approvalId: approval.id, vote: ballot.vote, digest: approval.action_digest, reason: ballot.reason });
  const decided = outcomeOf([...votes, ballot], approval.approvers) !== "pending";
  return await detailOf(ctx, approval.id, decided ? await settle(ctx, approval, task, ballot) : task);
}

/** The ballot decides: an approval that completes the number of approvers, or a rejection. */
async function settle(ctx: WriteContext, approval: ApprovalRow, task: TaskRow, ballot: Ballot): Promise<TaskRow> {
  const decision = ballot.vote === "approve" ? "approved" : "rejected";
  const decided = await decideApproval(ctx, { id: approval.id, status: decision, reason: ballot.reason });
  if (!decided) throw decidedBefore(approval);
  ctx.emit(approvalDecided, {
    approval_id: approval.id,
    task_id: task.id,
    agent: approval.agent,
    risk: approval.risk_level,
    decision,
    decided_by: ctx.principal.id,
    decided_at: timestamp(decided.decided_at.getTime()),
    reason: ballot.reason,
  });
  return ballot.vote === "approve" ? await queueApprovedTask(ctx, task) : await rejectTask(ctx, task, ballot.reason);
}

async function detailOf(ctx: WriteContext, id: string, task: TaskRow): Promise<ApprovalDetail> {
  const known = await findApproval(ctx, id);
  if (!known) throw refuse(notFound, "The approval is gone.");
  return approvalDetail(known, task, ctx);
}

/** Approval of A never runs B: neither where the voter saw something else, nor where the stored action was changed behind the approval. */
function refuseUnbound(approval: ApprovalRow, task: TaskRow, shown: string | undefined): void {
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

function decidedBefore({ status, decided_by, decided_at }: ApprovalRow): Error {
  const at = decided_at === null ? null : timestamp(decided_at.getTime());
  const by = decided_by === null ? "" : ` by ${decided_by}`;
  return refuse(alreadyDecided, `The approval is ${status}, decided${by}${at === null ? "" : ` at ${at}`}; nothing was changed.`, {
    members: { approval_status: status, decided_by, decided_at: at },
  });
}

function votedBefore(own: { vote: VoteWord; created_at: Date }): Error {
  const voted_at = timestamp(own.created_at.getTime());
  return refuse(alreadyVoted, `You voted to ${own.vote} at ${voted_at}; a vote stands, have another person decide.`, {
    members: { vote: own.vote, voted_at },
  });
}
