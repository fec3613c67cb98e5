import type { Principal } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import type { TaskRow } from "../tasks/public.ts";
import { actionDigest, type BoundAction } from "./request.ts";
import type { BarCode, OnExpiry, VoteWord } from "./schemas.ts";
import type { ApprovalRow } from "./store.ts";

/** What deciding asks for. */
export const decidePermission = "approvals:decide";

/** The action that an approval is of, as it is stored at this moment: what would happen if it were approved. */
export function storedAction(approval: ApprovalRow, task: TaskRow): BoundAction {
  return {
    agent: task.agent,
    version: task.version_id,
    skill: task.skill,
    tool: approval.tool,
    arguments: JSON.parse(approval.arguments ?? task.input) as unknown,
    nonce: approval.nonce,
  };
}

/** Whether what would happen is still what approval was asked for. */
export function isBound(approval: ApprovalRow, task: TaskRow): boolean {
  return actionDigest(storedAction(approval, task)) === approval.action_digest;
}

/** Whether a vote has to carry the digest of what was shown (governance: approvals, "High and critical risk require it"). */
export function needsDigest(approval: Pick<ApprovalRow, "risk_level">): boolean {
  return approval.risk_level === "high" || approval.risk_level === "critical";
}

/** What the votes come to: one rejection ends it, `approvers` distinct persons approve it. Each voter counts once: the store holds one vote of each. */
export function outcomeOf(votes: readonly { vote: VoteWord }[], approvers: number): "pending" | "approved" | "rejected" {
  if (votes.some(({ vote }) => vote === "reject")) return "rejected";
  return votes.length >= approvers ? "approved" : "pending";
}

/** Who wants to decide. */
export interface Caller {
  readonly principal: Principal;
  /** Who has held the key of the call beside its owner: who issued it, directly or by way of other keys. */
  readonly issuers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What of an approval says who may decide it. */
export interface Deciding extends Pick<ApprovalRow, "status" | "requester" | "requester_allowed" | "approvers" | "round" | "edited_by"> {
  readonly expires_at: Date | null;
  readonly on_expiry: OnExpiry | null;
  readonly escalated_at: Date | null;
  readonly votes: readonly { readonly voter: string; readonly vote: VoteWord; readonly name: string | null }[];
  readonly delegations: readonly { readonly from: string; readonly to: string; readonly to_name: string | null }[];
  readonly vote_issuers: readonly { readonly voter: string; readonly issuer: string }[];
}

/** Why a principal cannot decide an approval. */
export interface Bar {
  readonly code: Exclude<BarCode, "already_decided" | "insufficient_scope" | "already_voted">;
  readonly reason: string;
}

/** Whether the time of a pending approval is over, though nobody has ended it yet. */
export function isOverdue({ status, expires_at }: Pick<Deciding, "status" | "expires_at">, now: number): boolean {
  return status === "pending" && expires_at !== null && expires_at.getTime() <= now;
}

/** Whether it waits for a decision: pending, and not beyond a time at which it ends. */
export function isOpen(approval: Pick<Deciding, "status" | "expires_at" | "on_expiry">, now: number): boolean {
  return approval.status === "pending" && !(isOverdue(approval, now) && approval.on_expiry === "reject");
}

/** Whether only admins decide it. */
export function isEscalated(approval: Pick<Deciding, "status" | "escalated_at" | "expires_at" | "on_expiry">, now: number): boolean {
  return approval.escalated_at !== null || (approval.on_expiry === "escalate" && isOverdue(approval, now));
}

/** Who takes part under four eyes: the requester and who edited the action, where a person other than these is demanded. */
export function barredParties({
  requester,
  requester_allowed,
  edited_by,
}: Pick<Deciding, "requester" | "requester_allowed" | "edited_by">) {
  return requester_allowed ? [] : [requester, ...(edited_by === null ? [] : [edited_by])];
}

/**
 * What bars a caller whatever happened to the approval: decisions are for persons, and where four eyes are demanded not for who asked. In later rounds
 * that may be demanded which was not before, so that there it is no matter for all times. Null: nothing of this kind.
 */
export function lastingBar({ principal: { kind, id } }: Pick<Caller, "principal">, approval: Deciding): Bar | null {
  if (kind !== "member") {
    return {
      code: "persons_only",
      reason: "Only a person can decide; this key acts for a service account. Use a key that acts for a member.",
    };
  }
  return approval.round === 1 ? requesterBar(id, approval) : null;
}

/**
 * Decisions are for persons; where four eyes are demanded neither for who asked nor for who edited; not for who handed the decision on; once escalated,
 * for admins; and not by a key in the hands of another one who takes part. Null: nothing bars this caller. Of one that is decided only what never
 * changes is said.
 */
export function barOf(caller: Caller, approval: Deciding): Bar | null {
  const { id } = caller.principal;
  const always = lastingBar(caller, approval) ?? requesterBar(id, approval);
  if (always || !isOpen(approval, caller.now)) return always;
  return editorBar(id, approval) ?? handOverBar(caller, approval) ?? keyBar(caller, approval);
}

function requesterBar(id: string, approval: Deciding): Bar | null {
  if (approval.requester_allowed || approval.requester !== id) return null;
  return { code: "four_eyes", reason: "You asked for this, and the approval demands another person; have someone else decide." };
}

function editorBar(id: string, approval: Deciding): Bar | null {
  if (approval.requester_allowed || approval.edited_by !== id) return null;
  return { code: "four_eyes", reason: "You edited this, and the approval demands another person; have someone else decide." };
}

function handOverBar({ principal, now }: Caller, approval: Deciding): Bar | null {
  const own = approval.delegations.find(({ from }) => from === principal.id);
  if (own) return { code: "delegated", reason: `You handed this on to ${own.to_name ?? own.to}, who decides in your place.` };
  if (!isEscalated(approval, now) || principal.role === "admin") return null;
  return { code: "escalated", reason: "It was escalated: only an admin decides it now, with a key of that role." };
}

/** Who issued a key knew its secret, and so could issue whatever was issued with it: the vote of such a key is not that of a second person. */
function keyBar({ principal, issuers }: Caller, approval: Deciding): Bar | null {
  const voted = approval.votes.find(({ voter }) => issuers.includes(voter));
  if (voted) {
    const reason = `This key was issued by ${voted.name ?? voted.voter}, who has voted already, or with a key of theirs: it does not count as a second person. Decide with a key that somebody else issued.`;
    return { code: "key_not_independent", reason };
  }
  const party = barredParties(approval).find((id) => issuers.includes(id));
  if (party !== undefined) {
    const did = party === approval.requester ? "asked for this" : "edited this";
    const reason = `This key was issued by the one who ${did}, or with a key of theirs, and the approval demands another person. Decide with a key that somebody else issued.`;
    return { code: "key_not_independent", reason };
  }
  const theirs = approval.vote_issuers.find((vote) => vote.issuer === principal.id && vote.voter !== principal.id);
  if (!theirs) return null;
  const name = approval.votes.find(({ voter }) => voter === theirs.voter)?.name ?? theirs.voter;
  const reason = `You issued the key with which ${name} has voted already, or the one that it comes from: you do not count as a second person. Have someone else decide.`;
  return { code: "key_not_independent", reason };
}

/** Whether the key's role and scopes include deciding, as the pipeline will judge. */
export function holdsDecidePermission({ role, scopes }: Principal): boolean {
  return role !== null && roleGrants(role, decidePermission) && (scopes === null || scopes.includes(decidePermission));
}

/** Whether a caller may decide now, and if not, why: the first thing that stands in the way. */
export function mayDecide(caller: Caller, approval: Deciding): { allowed: boolean; code: BarCode | null; reason: string | null } {
  const { principal, now } = caller;
  const no = (code: BarCode, reason: string) => ({ allowed: false, code, reason });
  if (!isOpen(approval, now)) return no("already_decided", overText(approval));
  if (!holdsDecidePermission(principal)) {
    return no("insufficient_scope", `The key may read but not decide; deciding needs the permission ${decidePermission}.`);
  }
  const bar = barOf(caller, approval);
  if (bar) return no(bar.code, bar.reason);
  if (approval.votes.some(({ voter }) => voter === principal.id)) {
    const missing = approval.approvers - approval.votes.length;
    return no("already_voted", `You have approved; ${missing} more ${missing === 1 ? "person has" : "persons have"} to.`);
  }
  return { allowed: true, code: null, reason: null };
}

function overText({ status }: Pick<Deciding, "status">): string {
  if (status === "changes_requested") return "It was sent back for changes; what comes of them is asked for anew.";
  if (status === "superseded") return "A newer approval has taken its place; nothing is left to decide here.";
  return `It is ${status === "pending" ? "expired" : status}; nothing is left to decide.`;
}

/** Who handed the decision to a voter, the latest of them; null: nobody did. */
export function behalfOf(voter: string, delegations: Deciding["delegations"]): string | null {
  return delegations.findLast(({ to }) => to === voter)?.from ?? null;
}
