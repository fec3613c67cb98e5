import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { invalidBody, notFound } from "../../../../kernel/problems.ts";
import { exampleRule, exampleRuleBody, exampleRuleTest } from "../example.ts";
import { testRuleOn } from "../past.ts";
import { canBeName, rules } from "../resource.ts";
import { definitionOf, partyFaults, textFaults } from "../rules.ts";
import { ApprovalRuleTest, TestApprovalRuleBody } from "../schemas.ts";
import type { RuleRow } from "../view.ts";

/** `present`: null where there is no such rule. */
interface Loaded {
  readonly present: RuleRow | null;
}

export const testRule = defineOperation({
  ...rules.changeOfOne(),
  id: "approvals.testRule",
  method: "POST",
  path: `${rules.one.path}/test` as const,
  summary: "Test an approval rule on past tasks",
  description:
    "Which of the latest tasks, or calls of tools, the rule would have put before people, who could have decided them, and how long they would have waited. Changes nothing. With `candidate` " +
    "a text is tested that is not saved, under any name. Tasks are judged by their input and risk as they are now; of a call the risk of its task counts.",
  body: TestApprovalRuleBody,
  output: ApprovalRuleTest,
  example: {
    params: { rule: exampleRule.rule },
    body: { candidate: exampleRuleBody, tasks: 10_000 },
    output: exampleRuleTest,
  },
  load: async (ctx, { rule }): Promise<Loaded | undefined> =>
    canBeName(rule) ? { present: (await rules.rows.find(ctx, rule)) ?? null } : undefined,
  validate: (_ctx, { body: { candidate } }) => (candidate ? textFaults(candidate, "/candidate") : []),
  gate: exempt("makes no agent act"),
  compliance: governs("approval_rule.test"),
  decides: exempt("judges and changes nothing"),
  errors: [invalidBody, notFound],
  async handle(ctx, { params: { rule }, body: { candidate, tasks = 10_000 }, loaded: { present } }) {
    if (candidate) {
      const errors = await partyFaults(ctx, candidate, "/candidate");
      if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
      return testRuleOn(ctx, rule, definitionOf(candidate), tasks);
    }
    if (!present)
      throw refuse(notFound, `There is no approval rule ${rule}; give a \`candidate\`, or name one that is there.`);
    return testRuleOn(ctx, rule, present.definition, tasks);
  },
});
