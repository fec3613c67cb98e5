// What the machine that hands out budgets needs of this slice.

export { noteBudget } from "../operations/note-budget.ts";
export { BudgetDesk } from "./desk.ts";
export { type BudgetDirectory, type BudgetLimit, budgetFacts } from "./facts.ts";
export type { BudgetPage } from "./page.ts";
export { createPortionStore, type PortionStore, recallChannel, type WindowKey, windowName } from "./portion-store.ts";
