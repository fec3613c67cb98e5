import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import type { PolicyPort } from "../ports.ts";

// Policies, their simulation, and violations.

export const createOperations = (_policies: PolicyPort): readonly Operation[] => [];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
