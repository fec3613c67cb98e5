import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { heldSweep } from "../jobs/held-sweep.ts";
import { endHeldTask } from "../operations/end-held-task.ts";

// What a stop or a pause does to tasks.

export const operations: readonly Operation[] = [endHeldTask];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [heldSweep];
