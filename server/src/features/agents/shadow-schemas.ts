import { type Static, Type } from "typebox";
import { closed } from "../../kernel/schema-words.ts";

// A part of schemas.ts, which it does not import.

/** Of a shadow whose caller says nothing else. */
export const shadowDefaults = { cost_usd: 5, tasks: 1_000 } as const;

const members = {
  cost_usd: Type.Number({ minimum: 0, maximum: 1_000_000, description: "US dollars; default 5." }),
  tasks: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Tasks; default 1,000." }),
};
export const ShadowBudget = Type.Object(members, { description: "What a shadow may use before it ends." });
export type ShadowBudget = Static<typeof ShadowBudget>;

export const ShadowBudgetInput = Type.Partial(Type.Object(members), {
  ...closed,
  description:
    "What a shadow may use before it ends; what is left out has its default. Budgets of the agent and the environment hold besides.",
});
