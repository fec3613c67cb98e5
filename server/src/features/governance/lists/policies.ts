import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { checkCall } from "../operations/check-call.ts";
import { createPolicy } from "../operations/create-policy.ts";
import { listPolicies } from "../operations/list-policies.ts";
import { listViolations } from "../operations/list-violations.ts";
import { readPolicy } from "../operations/read-policy.ts";
import { replacePolicy } from "../operations/replace-policy.ts";
import { retirePolicy } from "../operations/retire-policy.ts";
import { simulatePolicy } from "../operations/simulate-policy.ts";
import type { PolicyPort } from "../ports.ts";

// Policies, their simulation, and violations.

export const createOperations = (policies: PolicyPort): readonly Operation[] => [
  listPolicies(policies),
  createPolicy(policies),
  readPolicy,
  replacePolicy(policies),
  retirePolicy,
  simulatePolicy(policies),
  checkCall(policies),
  listViolations,
];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
