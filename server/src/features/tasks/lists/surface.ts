import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import type { TaskEventsPort } from "../ports.ts";

// What callers do with tasks beyond dispatch: batches, changes, events, steps, results.

export const createOperations = (_taskEvents: TaskEventsPort): readonly Operation[] => [];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
