import { nearestName } from "@aos/text";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { unknownBudgetScope } from "./errors.ts";
import type { BudgetScope } from "./model.ts";
import { agentNames, scopeExists } from "./store.ts";

/** The scopes that a principal sees; null: all. */
export function seenBy({ id, keyId, agents }: Principal): string[] | null {
  return agents && ["environment", `key:${keyId}`, `member:${id}`, ...agents.map((agent) => `agent:${agent}`)];
}

/** Refuses a budget for what is not there: it would never count anything. `allowUnknown`: an agent may come later. */
export async function refuseUnknown(
  ctx: CallContext & WriteContext,
  scope: BudgetScope,
  allowUnknown: boolean,
): Promise<void> {
  if (scope.kind === "environment" || (scope.kind === "agent" && allowUnknown) || (await scopeExists(ctx, scope)))
    return;
  if (scope.kind === "agent") {
    const names = ctx.principal.agents ?? (await agentNames(ctx));
    const close = nearestName(scope.agent, names);
    const known = close ? `did you mean agent:${close}?` : `there are ${names.slice(0, 20).join(", ") || "none"}.`;
    throw unknown(
      "unknown_agent",
      `there is no agent ${scope.agent}; ${known} To set it before the agent exists, send allow_unknown: true`,
    );
  }
  if (scope.kind === "key") {
    throw unknown(
      "unknown_key",
      `there is no key ${scope.key} in ${ctx.scope.environment}; GET /v1/admin/keys lists them by key_id`,
    );
  }
  throw unknown("unknown_member", `there is no member ${scope.member}; GET /v1/admin/members lists them by member_id`);
}

const unknown = (code: string, detail: string): Error =>
  refuse(unknownBudgetScope, `scope: ${detail}.`, { errors: [{ parameter: "scope", code, detail }] });
