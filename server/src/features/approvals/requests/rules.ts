import type { CallContext } from "../../../kernel/context.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { type ApprovalDemand, type DemandedExpiry, stricterExpiry } from "../../../kernel/verdict.ts";
import { settingsOf } from "../../admin/public.ts";

export const approvalStates = [
  "pending",
  "approved",
  "rejected",
  "changes_requested",
  "expired",
  "cancelled",
  "superseded",
  "consumed",
  "stale",
] as const;
export type ApprovalState = (typeof approvalStates)[number];

export const votes = ["approve", "reject"] as const;
export type VoteWord = (typeof votes)[number];

export const onExpiryWords = ["reject", "escalate"] as const;
export type OnExpiry = (typeof onExpiryWords)[number];

/** When an approval that nobody decided ends, and how. Never by approving it. */
export interface Expiry {
  readonly at: Date;
  readonly onExpiry: OnExpiry;
}

/** How a caller asks for it, as in `options.approval` of a dispatch. */
export type AskedExpiry = DemandedExpiry;

/**
 * When an approval that is asked for now expires: by what the caller asked for (null: nothing), by the settings for its risk and by the rules that ask for it,
 * whichever is earliest; at the same time `reject` counts. Where approval rules ask, no caller has it escalated: that lets admins decide in the place of those
 * whom they ask. Of one that was `escalated` already only an end that rejects it counts. Null: it waits for as long as it takes. From memory.
 */
export function expiryOf(
  ctx: Pick<CallContext, "facts" | "scope" | "now">,
  risk: RiskLevel,
  demand: ApprovalDemand | null,
  asked: AskedExpiry | null,
  escalated = false,
): Expiry | null {
  const { expires_in_seconds, on_expiry } = settingsOf(ctx).approvals[risk];
  const set = expires_in_seconds === null ? null : { expires_in_seconds, on_expiry };
  const byRules = demand?.required_by?.some(({ kind }) => kind === "rule") === true;
  const wanted = byRules && asked?.on_expiry === "escalate" ? null : asked;
  const counts = [wanted, set, demand?.expiry ?? null]
    .filter((end) => end !== null && !(escalated && end.on_expiry === "escalate"))
    .reduce((one, other) => (one && other ? stricterExpiry(one, other) : (one ?? other)), null);
  return counts && { at: new Date(ctx.now + Math.round(counts.expires_in_seconds * 1000)), onExpiry: counts.on_expiry };
}

/** How long an approval had at first, without extensions, for the round that follows it; null where it had no end. */
export function expiryAgain(row: {
  created_at: Date;
  expires_at: Date | null;
  on_expiry: OnExpiry | null;
  extended_seconds?: number;
}): AskedExpiry | null {
  if (row.expires_at === null || row.on_expiry === null) return null;
  const seconds = (row.expires_at.getTime() - row.created_at.getTime()) / 1000 - (row.extended_seconds ?? 0);
  return { expires_in_seconds: Math.max(1, seconds), on_expiry: row.on_expiry };
}
