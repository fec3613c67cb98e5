import type { FactSet } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { policyFacts } from "./facts.ts";

export { PolicyDirectory, policyFacts, type StoredPolicy } from "./facts.ts";

export const operations: readonly Operation[] = [];
export const facts: readonly FactSet<unknown>[] = [policyFacts];
