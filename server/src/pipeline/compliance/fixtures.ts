import "../../features/index.ts"; // declares the actions
import { type CompiledPolicy, compilePolicy } from "./compile.ts";
import type { PolicyContext } from "./context.ts";
import type { Policy } from "./policy.ts";

/** A policy for tests: denies what `when` says; members given replace its own. */
export function aPolicy(members: Partial<Policy> = {}): Policy {
  return {
    id: "pol_a",
    version: 1,
    state: "active",
    scope: {},
    when: "true",
    effect: "deny",
    params: {},
    reason_code: "not_wanted",
    message: "This is not wanted.",
    controls: [],
    effective_from: null,
    effective_until: null,
    ...members,
  };
}

/** The same, compiled; throws with its faults where it does not compile. */
export function compiled(members: Partial<Policy> = {}): CompiledPolicy {
  const result = compilePolicy(aPolicy(members));
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.compiled;
}

/** A dispatch of the sales agent in production, on Friday 2 January 2026 at 09:30 UTC. */
export function aContext(members: Partial<PolicyContext> = {}): PolicyContext {
  return {
    action: "task.dispatch",
    environment: "production",
    now: Date.UTC(2026, 0, 2, 9, 30),
    principal: { id: "mbr_1", kind: "member", role: "operator" },
    key: { id: "key_1" },
    agent: { name: "sales", labels: ["inbound", "eu"] },
    version: { number: 3, id: "ver_1" },
    skill: { name: "qualify_lead" },
    input: { lead_id: "ld_1", amount: 250, "lead-id": "ld_1", tags: ["vip"], lead: { city: null } },
    risk: { level: "high", score: 8, impact: 3, likelihood: 2 },
    trust: { score: 0.5, low: 0.1958, high: 0.8042 },
    ...members,
  };
}
