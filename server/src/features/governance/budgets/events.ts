import { type TLiteral, type TSchema, Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { BudgetPeriod, BudgetScopeName, BudgetUnit } from "./schemas.ts";

const body = <E extends string, T extends TSchema>(event: TLiteral<E>, limit: T) =>
  Type.Object({
    event,
    scope: BudgetScopeName,
    unit: BudgetUnit,
    period: BudgetPeriod,
    limit,
    used: Type.Number({ description: "Used in this window; money in US dollars." }),
    window_from: Time,
    window_to: nullable(Time, "When the window ends; null: never."),
  });

export const budgetWarning = defineEvent({
  type: "budget.warning",
  summary: "What was used of a budget has reached its warning level. Once per window and level.",
  readers: everyone,
  schema: body(Type.Literal("budget.warning"), Type.Number({ description: "The warning level." })),
});

export const budgetExhaustedEvent = defineEvent({
  type: "budget.exhausted",
  summary: "A budget is used up, or what is left of it was too little for a call. Once per window and limit.",
  readers: everyone,
  schema: body(Type.Literal("budget.exhausted"), Type.Number({ description: "The hard limit." })),
});
