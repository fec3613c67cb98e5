import { Type } from "typebox";
import { rules } from "../resource.ts";
import { ruleStates } from "../schemas.ts";

export const listRules = rules.listOperation({
  id: "approvals.listRules",
  summary: "List approval rules",
  description: "Who must approve what, by name in descending order.",
  filters: { state: Type.Optional(Type.Enum(ruleStates, { description: "Default: both." })) },
  narrow: (query, { filter: { state } }) =>
    query.$if(state !== undefined, (q) => q.where("r.retired_at", state === "active" ? "is" : "is not", null)),
});
