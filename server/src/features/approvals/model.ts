import type { Principal } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import type { TaskRow } from "../tasks/public.ts";
import { actionDigest, type BoundAction } from "./public.ts";
import type { BarCode, VoteWord } from "./schemas.ts";
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

/** Why a principal can never decide an approval, whatever its state. */
export interface Bar {
  readonly code: Extract<BarCode, "persons_only" | "four_eyes">;
  readonly reason: string;
}

/** Decisions are for persons, and where four eyes are demanded not for the one who asked. Null: nothing bars this principal. */
export function barOf(principal: Principal, approval: Pick<ApprovalRow, "requester" | "requester_allowed">): Bar | null {
  if (principal.kind !== "member") {
    return {
      code: "persons_only",
      reason: "Only a person can decide; this key acts for a service account. Use a key that acts for a member.",
    };
  }
  if (!approval.requester_allowed && approval.requester === principal.id) {
    return { code: "four_eyes", reason: "You asked for this, and the approval demands another person; have someone else decide." };
  }
  return null;
}

/** Whether the key's role and scopes include deciding, as the pipeline will judge. */
export function holdsDecidePermission({ role, scopes }: Principal): boolean {
  return role !== null && roleGrants(role, decidePermission) && (scopes === null || scopes.includes(decidePermission));
}

/** Whether a caller may decide now, and if not, why: the first thing that stands in the way. */
export function mayDecide(
  principal: Principal,
  approval: Pick<ApprovalRow, "status" | "requester" | "requester_allowed" | "approvers">,
  votes: readonly { voter: string; vote: VoteWord }[],
): { allowed: boolean; code: BarCode | null; reason: string | null } {
  const no = (code: BarCode, reason: string) => ({ allowed: false, code, reason });
  if (approval.status !== "pending") return no("already_decided", `It is ${approval.status.replace("_", " ")}; nothing is left to decide.`);
  if (!holdsDecidePermission(principal)) {
    return no("insufficient_scope", `The key may read but not decide; deciding needs the permission ${decidePermission}.`);
  }
  const bar = barOf(principal, approval);
  if (bar) return no(bar.code, bar.reason);
  if (votes.some(({ voter }) => voter === principal.id)) {
    const missing = approval.approvers - votes.length;
    return no("already_voted", `You have approved; ${missing} more ${missing === 1 ? "person has" : "persons have"} to.`);
  }
  return { allowed: true, code: null, reason: null };
}
