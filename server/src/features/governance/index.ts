import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import { policyFacts } from "./facts.ts";
import * as budgets from "./lists/budgets.ts";
import * as policies from "./lists/policies.ts";
import * as stops from "./lists/stops.ts";
import type { PolicyPort } from "./ports.ts";

export { type Budgets, createBudgets } from "./budgets/process-budgets.ts";
export { PolicyDirectory, policyFacts, type StoredPolicy } from "./facts.ts";
export type { PolicyPort, ProposedCall, ProposedVerdict, RecordedTexts, StatedFault, StatedPolicy } from "./ports.ts";
export { holdOn } from "./stops/holds.ts";

/** The operations of this slice, over the machine that compiles and evaluates policies. */
export function createOperations(port: PolicyPort): readonly Operation[] {
  return [...policies.createOperations(port), ...budgets.operations, ...stops.operations];
}

export const facts: readonly FactSet<unknown>[] = [policyFacts, ...policies.facts, ...budgets.facts, ...stops.facts];
export const sweeps: readonly Sweep[] = [...policies.sweeps, ...budgets.sweeps, ...stops.sweeps];
