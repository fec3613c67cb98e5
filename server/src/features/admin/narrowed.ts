import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { insufficientScope } from "../../kernel/problems.ts";

/** Refuses a key that is limited to agents where the call concerns the work of every agent. `what`: what it is that does, with its verb. */
export function refuseNarrowed({ principal: { agents } }: Pick<CallContext, "principal">, what: string): void {
  if (agents === null) return;
  throw refuse(insufficientScope, `The key is limited to the agents ${agents.join(", ")}; ${what} all of them.`, {
    stage: "permissions",
    members: { missing_scope: "agent:*" },
  });
}
