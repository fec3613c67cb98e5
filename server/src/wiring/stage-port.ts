import type { FactStore } from "../db/facts.ts";
import { keyFacts, lookUpKey, lookUpLink, sessionFacts } from "../features/admin/index.ts";
import { gateFacts } from "../features/evaluations/gates/facts.ts";
import { holdOn, policyFacts, type StoredPolicy } from "../features/governance/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Reader } from "../kernel/db.ts";
import { loadPolicy } from "../pipeline/compliance/compile.ts";
import { createPolicySet, type PolicySet } from "../pipeline/compliance/evaluate.ts";
import type { StagePort } from "../pipeline/ports.ts";

export interface StagePortParts {
  readonly facts: FactStore;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly keyUsed: StagePort["keyUsed"];
  readonly sessionUsed: StagePort["sessionUsed"];
  readonly budgets: StagePort["budgets"];
}

/** Joins what the stages ask with what the slices know. Policies are compiled once per list that was loaded. */
export function createStagePort({ facts, reader, clock, keyUsed, sessionUsed, budgets }: StagePortParts): StagePort {
  const compiled = new WeakMap<readonly StoredPolicy[], PolicySet>();
  return {
    keyByHash: (hash) => facts.get(keyFacts).byHash(hash),
    keyById: (id) => facts.get(keyFacts).byId(id),
    lookUpKey: (hash) => lookUpKey(reader, hash),
    sessionByHash: (hash) => facts.get(sessionFacts).find(hash, facts),
    sessionUsed,
    lookUpLink: (hash) => lookUpLink(reader, hash),
    keyUsed,
    budgets,
    hold: (scope, action, of) => holdOn({ facts, scope }, action, of),
    gate: (scope, versionId) => facts.get(gateFacts).of(scope, versionId),
    gateOverride: (scope, agent) => facts.get(gateFacts).overrideOf(scope, agent),
    policies(scope) {
      const policies = facts.get(policyFacts).of(scope);
      let set = compiled.get(policies);
      if (!set) {
        set = createPolicySet(policies.map(loadPolicy), clock.now());
        compiled.set(policies, set);
      }
      return set;
    },
  };
}
