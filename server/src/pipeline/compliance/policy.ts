import type { StatedPolicy } from "../../features/governance/ports.ts";

export type { StatedFault as PolicyFault, StatedPolicy as Policy } from "../../features/governance/ports.ts";

export const POLICY_STATES = ["draft", "shadow", "active", "retired"] as const;
export const POLICY_EFFECTS = ["deny", "require_approval", "redact", "limit", "notify", "tag"] as const;
export type PolicyEffect = StatedPolicy["effect"];

/** The reason code of a policy that could not be evaluated; no policy may use it. */
export const POLICY_ERROR = "policy_error";
