import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { budgetFacts } from "../budgets/facts.ts";
import { lapseGrants } from "../budgets/portion-store.ts";
import { listBudgets } from "../operations/list-budgets.ts";
import { noteBudget } from "../operations/note-budget.ts";
import { readBudget } from "../operations/read-budget.ts";
import { setBudget } from "../operations/set-budget.ts";

// Budgets, and what machines do for them.

/** Most grants that one look takes up; what is over that comes a second later. */
const most = 500;

export const operations: readonly Operation[] = [listBudgets, setBudget, noteBudget, readBudget];
export const facts: readonly FactSet<unknown>[] = [budgetFacts];
export const sweeps: readonly Sweep[] = [
  {
    name: "budgets.lapse",
    async run({ db }) {
      await lapseGrants(db, most);
    },
  },
];
