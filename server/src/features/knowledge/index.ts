import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import * as knowledge from "./lists/knowledge.ts";

export const operations: readonly Operation[] = [...knowledge.operations];
export const facts: readonly FactSet<unknown>[] = [...knowledge.facts];
export const sweeps: readonly Sweep[] = [...knowledge.sweeps];
