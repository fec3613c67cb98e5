import { defineFacts } from "../../kernel/facts.ts";
import type { Environment, Scope } from "../../kernel/principal.ts";
import type { RunLimits } from "../../kernel/verdict.ts";

/** What a policy says, as it was saved; its members follow the policy format. */
export interface PolicyDefinition {
  readonly scope: {
    readonly actions?: readonly string[];
    readonly agents?: readonly string[];
    readonly environments?: readonly Environment[];
  };
  readonly when: string;
  readonly effect: "deny" | "require_approval" | "redact" | "limit" | "notify" | "tag";
  readonly params:
    | { readonly approvers?: number; readonly requester_allowed?: boolean; readonly reason?: string }
    | { readonly tags: readonly string[] }
    | { readonly kinds?: readonly string[] }
    | RunLimits;
  readonly reason_code: string;
  readonly message: string;
  readonly controls: readonly string[];
}

/** A policy in force, not compiled: the compliance stage makes it ready to run. Times in milliseconds since the epoch; null: no bound. */
export interface StoredPolicy extends PolicyDefinition {
  readonly id: string;
  readonly version: number;
  readonly state: "shadow" | "active";
  readonly effective_from: number | null;
  readonly effective_until: number | null;
}

interface Row {
  organization: string;
  environment: Environment;
  id: string;
  version: number;
  state: "shadow" | "active";
  definition: PolicyDefinition;
  effective_from: Date | null;
  effective_until: Date | null;
}

const none: readonly StoredPolicy[] = [];

/** The policies in force, by organization and environment. */
export class PolicyDirectory {
  readonly #policies = new Map<string, StoredPolicy[]>();
  constructor(rows: readonly Row[]) {
    for (const { organization, environment, id, version, state, definition, effective_from, effective_until } of rows) {
      const at = `${organization} ${environment}`;
      const list = this.#policies.get(at) ?? [];
      // The row's own columns win over members of the same name in what was saved.
      list.push({
        ...definition,
        id,
        version,
        state,
        effective_from: effective_from?.getTime() ?? null,
        effective_until: effective_until?.getTime() ?? null,
      });
      this.#policies.set(at, list);
    }
  }

  /** Those of one environment. The same list as long as nothing was reloaded, so that what is compiled from it can be kept by it. */
  of(scope: Scope): readonly StoredPolicy[] {
    return this.#policies.get(`${scope.organization} ${scope.environment}`) ?? none;
  }
}

/** Policies that are active or in shadow; touched by whatever puts one in force, replaces or retires it. */
export const policyFacts = defineFacts<PolicyDirectory>({
  topic: "policies",
  async load(db) {
    return new PolicyDirectory(
      await db.query<Row>(
        `select organization, environment, id, version, state, definition, effective_from, effective_until
         from policies where state in ('shadow', 'active') order by organization, environment, id`,
      ),
    );
  },
});
