import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { insufficientScope } from "../../kernel/problems.ts";

/** Refuses a key that is narrowed to agents where a body, or what it names, concerns another one. */
export function permitAgent({ principal }: CallContext, agent: unknown): void {
  if (principal.agents === null || typeof agent !== "string" || principal.agents.includes(agent)) return;
  throw refuse(insufficientScope, `The key is limited to the agents ${principal.agents.join(", ")}; this call concerns ${agent}.`, {
    stage: "permissions",
    members: { missing_scope: `agent:${agent}` },
  });
}
