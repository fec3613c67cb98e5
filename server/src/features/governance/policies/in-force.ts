import type { FactsReader } from "../../../kernel/facts.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { policyFacts, type StoredPolicy } from "../facts.ts";

/** The active policies that name an action and could apply to it in the environment, whatever their condition says. */
export function policiesNaming(
  { facts, scope, now }: { readonly facts: FactsReader; readonly scope: Scope; readonly now: number },
  action: string,
): StoredPolicy[] {
  const inForce = facts.get(policyFacts).of(scope);
  return inForce.filter(
    ({ state, scope: { actions, environments }, effective_until: until }) =>
      state === "active" &&
      actions?.includes(action) === true &&
      environments?.includes(scope.environment) !== false &&
      (until === null || until > now),
  );
}

/** The policies of the environment, active and in shadow, from memory. */
export function policiesOf({ facts, scope }: { readonly facts: FactsReader; readonly scope: Scope }) {
  return facts.get(policyFacts).of(scope);
}
