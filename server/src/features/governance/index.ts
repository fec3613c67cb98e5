export { type Budgets, createBudgets } from "./budgets/process-budgets.ts";
export { PolicyDirectory, policyFacts, type StoredPolicy } from "./facts.ts";
export { holdOn } from "./kill-switch/holds.ts";
export type { PolicyPort, ProposedCall, ProposedVerdict, RecordedTexts, StatedFault, StatedPolicy } from "./ports.ts";
