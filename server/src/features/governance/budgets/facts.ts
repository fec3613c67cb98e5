import { defineFacts } from "../../../kernel/facts.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { BudgetPeriod, BudgetUnit } from "./rules.ts";

/** A limit in force. Amounts are whole; times in milliseconds since the epoch. At least one of `hard` and `warn` is set. */
export interface BudgetLimit {
  readonly organization: string;
  readonly environment: Environment;
  readonly scope: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly hard: number | null;
  readonly warn: number | null;
  readonly createdAt: number;
}

interface Row extends Omit<BudgetLimit, "createdAt"> {
  created_at: Date;
}

/** All limits, in the order of their keys. A new object after each change, so that what is made of it can be kept by it. */
export interface BudgetDirectory {
  readonly limits: readonly BudgetLimit[];
}

export const budgetFacts = defineFacts<BudgetDirectory>({
  topic: "budgets",
  async load(db) {
    const rows = await db.query<Row>(
      `select organization, environment, scope, unit, period, hard, warn, created_at
       from budgets order by organization, environment, scope, unit collate "C", period collate "C"`,
    );
    return { limits: rows.map(({ created_at, ...limit }) => ({ ...limit, createdAt: created_at.getTime() })) };
  },
});
