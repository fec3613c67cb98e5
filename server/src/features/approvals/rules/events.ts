import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { ApprovalRuleName } from "./schemas.ts";

const common = {
  rule: ApprovalRuleName,
  title: Type.String({ description: "What people call the rule." }),
  version: Type.Integer(),
};

export const approvalRuleSet = defineEvent({
  type: "approval_rule.set",
  summary: "An approval rule was created or replaced.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval_rule.set"),
    ...common,
    author: Type.String({ description: "Who wrote this version, `mbr_…`." }),
  }),
});

export const approvalRuleRetired = defineEvent({
  type: "approval_rule.retired",
  summary: "An approval rule was retired.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval_rule.retired"),
    ...common,
    retired_by: Type.String({ description: "Who retired it, `mbr_…`." }),
  }),
});
