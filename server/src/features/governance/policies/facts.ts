import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import type { RunLimits } from "../../../kernel/verdict.ts";

/** 1 approver and `requester_allowed` unless given; `reason` is shown to approvers in place of the message. */
export interface ApprovalParams {
  readonly approvers?: number;
  readonly requester_allowed?: boolean;
  readonly reason?: string;
}
export interface TagParams {
  readonly tags: readonly string[];
}
/** Kinds of data (`email`, `iban`, …) that are replaced by placeholders; all unless given. */
export interface RedactParams {
  readonly kinds?: readonly string[];
}

export interface PolicyDefinition {
  /** An absent member does not narrow, except `actions`: without it, what agents do. In `agents`, `*` matches any text and `?` one character. */
  readonly scope: {
    readonly actions?: readonly string[];
    readonly agents?: readonly string[];
    readonly environments?: readonly Environment[];
  };
  /** A CEL expression over the policy context: if true, the effect applies. */
  readonly when: string;
  readonly effect: "deny" | "require_approval" | "redact" | "limit" | "notify" | "tag";
  readonly params: ApprovalParams | TagParams | RedactParams | RunLimits;
  readonly reason_code: string;
  readonly message: string;
  readonly controls: readonly string[];
}

/** A policy in force, not compiled. Times in milliseconds since the epoch; `effective_until` is exclusive; null means unlimited. */
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

export class PolicyDirectory {
  readonly #policies = new Map<string, StoredPolicy[]>();
  constructor(rows: readonly Row[]) {
    for (const { organization, environment, id, version, state, definition, effective_from, effective_until } of rows) {
      const at = `${organization} ${environment}`;
      const list = this.#policies.get(at) ?? [];
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

  /** The policies of an environment. The same list until they are reloaded, so that callers can cache by it. */
  of(scope: Scope): readonly StoredPolicy[] {
    return this.#policies.get(`${scope.organization} ${scope.environment}`) ?? none;
  }
}

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
