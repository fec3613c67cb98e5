import { type ApprovalRule, actionsOfRule, type RuleDefinition, reasonOfRule } from "../../../kernel/approval-rules.ts";
import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment, Scope } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { RunLimits } from "../../../kernel/verdict.ts";
import { approvalRuleRows } from "../../approvals/shared-rows.ts";

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
  /** What people call it; left out where nobody does, such as of a candidate. */
  readonly name?: string;
  /** The approval rule that stands here as a policy (`id`: `rule:<name>`), whose condition is not in `when`. */
  readonly rule?: ApprovalRule;
}

interface Row {
  organization: string;
  environment: Environment;
  id: string;
  version: number;
  state: "shadow" | "active";
  name: string;
  definition: PolicyDefinition;
  effective_from: Date | null;
  effective_until: Date | null;
}

interface RuleRow {
  organization: string;
  environment: Environment;
  name: string;
  title: string;
  version: number;
  definition: string;
}

const none: readonly StoredPolicy[] = [];
const ruleJson = storedJson<{ definition: RuleDefinition }>();

export class PolicyDirectory {
  readonly #policies = new Map<string, StoredPolicy[]>();
  constructor(rows: readonly Row[], rules: readonly RuleRow[] = []) {
    for (const row of rows) {
      const { id, version, state, name, definition, effective_from, effective_until } = row;
      this.#add(row, {
        ...definition,
        id,
        version,
        state,
        name,
        effective_from: effective_from?.getTime() ?? null,
        effective_until: effective_until?.getTime() ?? null,
      });
    }
    for (const row of rules) this.#add(row, policyOfRule(row));
  }

  #add({ organization, environment }: Scope, policy: StoredPolicy): void {
    const at = `${organization} ${environment}`;
    const list = this.#policies.get(at);
    if (list) list.push(policy);
    else this.#policies.set(at, [policy]);
  }

  /** The policies of an environment. The same list until they are reloaded, so that callers can cache by it. */
  of(scope: Scope): readonly StoredPolicy[] {
    return this.#policies.get(`${scope.organization} ${scope.environment}`) ?? none;
  }
}

/** An approval rule as the stage of compliance judges it: beside the policies, wherever they decide. */
function policyOfRule(row: RuleRow): StoredPolicy {
  const { name, title, version } = row;
  const rule: ApprovalRule = { ...ruleJson(row, "definition"), name, title, version };
  const { agents, amount, data_class_at_least: data } = rule.when;
  const readsInput = amount !== undefined || data !== undefined;
  return {
    id: `rule:${name}`,
    version,
    state: "active",
    name: title,
    scope: { actions: actionsOfRule(rule.when), ...(agents && { agents }) },
    when: `the condition of the approval rule ${name}${readsInput ? " over the input" : ""}`,
    effect: "require_approval",
    params: {},
    reason_code: "approval_rule",
    message: reasonOfRule(rule),
    controls: [],
    effective_from: null,
    effective_until: null,
    rule,
  };
}

/** Policies, and the approval rules that stand beside them. */
export const policyFacts = defineFacts<PolicyDirectory>({
  topic: "policies",
  async load(db) {
    const policies = db.query<Row>(
      `select organization, environment, id, version, state, name, definition, effective_from, effective_until
       from policies where state in ('shadow', 'active') order by organization, environment, id`,
    );
    const rules = db.query<RuleRow>(
      `select organization, environment, name, title, version, definition
       from ${approvalRuleRows} approval_rules where retired_at is null order by organization, environment, name`,
    );
    return new PolicyDirectory(...(await Promise.all([policies, rules])));
  },
});
