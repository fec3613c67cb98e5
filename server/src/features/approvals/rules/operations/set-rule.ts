import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { approvalRuleSet } from "../events.ts";
import { exampleRule, exampleRuleBody } from "../example.ts";
import { canBeName, rules } from "../resource.ts";
import { definitionOf, partyFaults, textFaults } from "../rules.ts";
import { ApprovalRuleBody } from "../schemas.ts";
import { keepVersion, lockTeams } from "../store.ts";
import { type RuleRow, revisionOfRow } from "../view.ts";

/** `present`: null where the name is free. */
interface Loaded {
  readonly present: RuleRow | null;
}

export const setRule = defineOperation({
  ...rules.changeOfOne(),
  ...rules.answer,
  id: "approvals.setRule",
  method: "PUT",
  summary: "Create or replace an approval rule",
  description:
    "Adds the next version, which counts for what people are asked from then on; approvals that wait keep what was demanded when people were asked. A rule only adds to what policies, risk and " +
    "callers demand: of several demands the strictest counts in each respect. `POST …/test` says beforehand which past tasks it would have caught. A retired rule is in force again.",
  body: ApprovalRuleBody,
  example: { params: { rule: exampleRule.rule }, body: exampleRuleBody, output: exampleRule },
  mayMatch: ({ present }: Loaded) => revisionOfRow(present),
  load: async (ctx, { rule }): Promise<Loaded | undefined> =>
    canBeName(rule) ? { present: (await rules.rows.find(ctx, rule)) ?? null } : undefined,
  validate: (_ctx, { body }) => textFaults(body),
  gate: exempt("makes no agent act"),
  compliance: governs("approval_rule.set"),
  emits: [approvalRuleSet],
  errors: [invalidBody, conflict],
  async handle(ctx, { params: { rule: name }, body, loaded }) {
    const before = await rules.rows.lock(ctx, name);
    if (revisionOfRow(before) !== revisionOfRow(loaded.present)) throw changedMeanwhile();
    const teams = body.require.stages.flatMap(({ teams: named = [] }) => named);
    const errors = await partyFaults(ctx, body, "", await lockTeams(ctx, teams));
    if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}.`, { errors });
    const { title } = body;
    const definition = definitionOf(body);
    const version = (before?.version ?? 0) + 1;
    const written = { version, title, definition, author: ctx.principal.id, created_at: new Date(ctx.now) };
    const row = before
      ? await rules.rows.update(ctx, before, { ...written, retired_at: null, retired_by: null })
      : await rules.rows.insertUnlessTaken(ctx, { ...written, name });
    if (!row) throw changedMeanwhile();
    await keepVersion(ctx, { ...written, name, definition: JSON.stringify(definition) });
    await noteRuleChange(
      ctx,
      `approval_rule:${name}`,
      `${before ? "Changed" : "Created"} the approval rule ${title}, version ${version}`,
    );
    rules.touch(ctx);
    ctx.emit(approvalRuleSet, { rule: name, title, version, author: ctx.principal.id });
    return rules.itemOf(ctx, row);
  },
});
