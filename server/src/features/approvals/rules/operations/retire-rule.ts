import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { approvalRuleRetired } from "../events.ts";
import { exampleRetiredRule } from "../example.ts";
import { rules } from "../resource.ts";
import { type RuleRow, revisionOfRow } from "../view.ts";

export const retireRule = defineOperation({
  ...rules.changeOfOne("approval_rule.retire"),
  ...rules.answer,
  id: "approvals.retireRule",
  method: "DELETE",
  summary: "Retire an approval rule",
  description:
    "Within a second it asks for nothing any longer. Approvals that wait keep what it demanded when people were asked, and for a day approvals show who retired it. Its versions are kept.",
  example: { params: { rule: exampleRetiredRule.rule }, output: exampleRetiredRule },
  mayMatch: (loaded: RuleRow) => revisionOfRow(loaded),
  gate: exempt("makes no agent act"),
  emits: [approvalRuleRetired],
  errors: [conflict],
  async handle(ctx, { loaded }) {
    const { name } = loaded;
    const before = await rules.rows.lock(ctx, name);
    if (!before || revisionOfRow(before) !== revisionOfRow(loaded)) throw changedMeanwhile();
    if (before.retired_at !== null) throw refuse(conflict, `The approval rule ${name} is retired already.`);
    const { title, version } = before;
    const ended = { retired_at: new Date(ctx.now), retired_by: ctx.principal.id };
    const row = await rules.rows.update(ctx, before, ended);
    await noteRuleChange(ctx, `approval_rule:${name}`, `Retired the approval rule ${title}`);
    rules.touch(ctx);
    ctx.emit(approvalRuleRetired, { rule: name, title, version, retired_by: ctx.principal.id });
    return rules.itemOf(ctx, row);
  },
});
