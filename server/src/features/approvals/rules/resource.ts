import { Type } from "typebox";
import type { RuleDefinition } from "../../../kernel/approval-rules.ts";
import type { FactSet } from "../../../kernel/facts.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json } from "../../../resources/rows.ts";
import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";
import { knownMembers } from "../delegations/store.ts";
import { exampleRule } from "./example.ts";
import { ApprovalRule, ApprovalRuleName } from "./schemas.ts";
import { tooManyRules, versionsOf } from "./store.ts";
import { revisionOf, ruleView } from "./view.ts";

const keeps = evidence("Approvals name the version that asked.");
const erased = erasedWithRow("It names who decided the rule, and whom it asks.");

export const owned = ownTables({
  approval_rules: { keeps, personal: { columns: ["title", "definition", "author", "retired_by"], erased } },
  approval_rule_versions: { keeps, personal: { columns: ["title", "definition", "author"], erased } },
});

/** Rules that an environment has at most, retired ones included. */
export const mostRules = 200;
const ofAllAgents = whole("approval rules concern the approvals of all agents");
const possibleName = /^[a-z][a-z0-9-]{0,39}$/;
export const canBeName = (text: string): boolean => possibleName.test(text);

/** The facts that rules are part of, by their topic: governance loads them with its policies. */
const policies: FactSet<unknown> = {
  topic: "policies",
  load: () => Promise.reject(new Error("the facts of policies are loaded by governance")),
};

export const rules = defineResource({
  table: owned.approval_rules,
  key: "name",
  isKey: canBeName,
  json: json<{ definition: RuleDefinition }>()("definition"),
  limit: { most: mostRules, lock: "approval rules", refuse: tooManyRules },
  path: "/v1/approvals/settings/rules",
  member: Type.Object({ rule: ApprovalRuleName }),
  item: ApprovalRule,
  identity: "rule",
  example: { params: { rule: exampleRule.rule }, item: exampleRule },
  async complete(ctx, rows) {
    const versions = await versionsOf(
      ctx,
      rows.map(({ name }) => name),
    );
    const ids = [
      ...rows.flatMap(({ author, retired_by }) => [author, retired_by ?? author]),
      ...versions.map(({ author }) => author),
    ];
    const members = await knownMembers(ctx, ids);
    return rows.map((row) => ({ row, versions: versions.filter(({ name }) => name === row.name), members }));
  },
  view: ruleView,
  revision: ({ version, state }) => revisionOf(version, state === "retired"),
  revisionOfPart: true,
  object: "approval_rule",
  objects: "approval_rules",
  permission: { read: "approvals:read", change: "approvals:write" },
  governs: { read: "approval_rule.read", change: "approval_rule.set", remove: "approval_rule.retire" },
  narrowing: { one: ofAllAgents, all: ofAllAgents },
  decides: "rules",
  touches: policies,
});
