import { Type } from "typebox";

// Words of the records, for the shapes of both events and exports.

export const decisions = ["allowed", "refused", "failed"] as const;
export const stageNames = ["permissions", "evaluation_gate", "compliance", "audit"] as const;

export const Decision = Type.Enum(decisions, {
  description: "What the call came to: allowed, refused by a stage or a rule, or failed.",
});
export const StageName = Type.Enum(stageNames);
