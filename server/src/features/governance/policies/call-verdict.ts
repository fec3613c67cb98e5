import type { CallContext } from "../../../kernel/context.ts";
import type { PolicyFacts } from "../../../kernel/operation.ts";
import { systemPrincipal } from "../../../kernel/principal.ts";
import { policyFacts } from "../facts.ts";
import { type Held, holdOn } from "../kill-switch/holds.ts";
import type { PolicyPort, ProposedVerdict } from "../ports.ts";

/** What policies, kill switches and pauses say of a call that a worker would make. Changes nothing. */
export interface CallVerdict {
  /** Whether an active policy denies it. */
  readonly denied: boolean;
  /** Whether an active policy could not be judged by what is known of the call, such as its arguments. */
  readonly undecided: boolean;
  /** Why it is denied. */
  readonly reasons: readonly string[];
  readonly hold: Held | null;
  readonly said: ProposedVerdict;
}

export function callVerdict(
  port: PolicyPort,
  ctx: CallContext,
  action: string,
  facts: PolicyFacts & { readonly agent: { readonly name: string } },
): CallVerdict {
  const { facts: reader, scope, now } = ctx;
  const { id, kind, role } = systemPrincipal("worker");
  const principal = { id, kind, role: role ?? "none" };
  const context = { action, environment: scope.environment, principal, now, ...facts };
  const policies = reader.get(policyFacts).of(scope);
  const said = port.check({ facts: reader, scope, now, version: null, context, policies });
  const active = said.policies.filter(({ policy }) => policy.state === "active");
  const denying = active.filter(({ policy, outcome }) => policy.effect === "deny" && outcome === "applies");
  const { agent, version, skill, tool } = facts;
  return {
    denied: denying.length > 0,
    undecided: active.some(({ outcome }) => outcome === "error"),
    reasons: denying.map(({ policy }) => `${policy.id}: ${policy.message}`),
    hold: holdOn(ctx, action, {
      agent: agent.name,
      ...(version && { versionId: version.id }),
      ...(skill && { skill: skill.name }),
      ...(tool && { tool: tool.name }),
    }),
    said,
  };
}
