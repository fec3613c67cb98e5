import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { budgetPeriods, budgetStates, budgetUnits } from "./rules.ts";

/** Amounts of money are exact to a millionth of a dollar up to this one; it bounds the other units too. */
export const mostBudget = 1_000_000_000;

export const BudgetUnit = Type.Enum(budgetUnits, {
  description:
    "`usd`: money in US dollars, as far as calls have a price; what runs at a flat rate costs 0 and never reaches such a limit: bound it in `tasks`, `steps` or `tokens`. `tasks`: dispatches that were accepted. `steps`: of runs, that is turns of models and calls of tools. `tokens`: of models.",
});
export const BudgetPeriod = Type.Enum(budgetPeriods, {
  description:
    "How long a window is; hours, days and months are those of UTC. `total`: one window without end, from when the limit was set.",
});
export const BudgetScopeName = Type.String({
  pattern: "^(environment|agent:.+|key:key_.+|member:mbr_.+)$",
  description:
    "What it covers: `environment`, `agent:<name>`, `key:<key_…>` or `member:<mbr_…>` (a person or a service account).",
});

export const BudgetLimit = Type.Object({
  unit: BudgetUnit,
  period: BudgetPeriod,
  hard: nullable(
    Type.Number(),
    "What is never exceeded: a call that needs more than is left is refused. Null: nothing is refused.",
  ),
  warn: nullable(Type.Number(), "From here on there is a warning (`budget.warning`); null: none."),
  used: Type.Number({ description: "Used in this window; up to a second late." }),
  reserved: Type.Number({
    description:
      "In the hands of processes: for calls under way, and a little ahead of them. What is not needed comes back.",
  }),
  available: nullable(Type.Number(), "What is neither used nor reserved; null where nothing is ever refused."),
  forecast: nullable(
    Type.Number(),
    "What will have been used at the end of the window if it goes on as before; null in the first tenth of the window, and for a total.",
  ),
  window: Type.Object({ from: Time, to: nullable(Time, "When the next window starts; null: never.") }),
  state: Type.Enum(budgetStates),
  updated_at: Type.String({ format: "date-time", description: "When the limit was last changed." }),
});
export type BudgetLimit = Static<typeof BudgetLimit>;

export const Budget = Type.Object({ scope: BudgetScopeName, limits: Type.Array(BudgetLimit) });
export type Budget = Static<typeof Budget>;

const Amount = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: mostBudget, description }));
export const SetBudgetBody = Type.Object(
  {
    limits: Type.Array(
      Type.Object(
        {
          unit: BudgetUnit,
          period: BudgetPeriod,
          hard: Amount("What is never exceeded. Left out: nothing is refused."),
          warn: Amount("From where on there is a warning; at most `hard`. Left out: none."),
        },
        closed,
      ),
      {
        maxItems: 16,
        description:
          "All limits of the scope, in place of those it has; each pair of unit and period once. None removes the budget.",
      },
    ),
    allow_unknown: Type.Optional(
      Type.Boolean({
        description:
          "Accepts an agent that does not exist yet. Otherwise such a name is refused, since nothing would be counted.",
      }),
    ),
  },
  closed,
);
export type SetBudgetBody = Static<typeof SetBudgetBody>;
