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
