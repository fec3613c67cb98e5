export { type Budgets, createBudgets } from "./budgets/process-budgets.ts";
export { holdOn } from "./kill-switches/holds.ts";
export { PolicyDirectory, policyFacts, type StoredPolicy } from "./policies/facts.ts";
export type { PolicyPort, ProposedCall, ProposedVerdict, RecordedTexts, StatedFault, StatedPolicy } from "./ports.ts";
