import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";

// What people do with approvals besides voting, and what machines do for them.

export const operations: readonly Operation[] = [];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
