import type { FactSet } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { gateFacts } from "./facts.ts";

export { GateDirectory, type GateVerdict, gateFacts } from "./facts.ts";

export const operations: readonly Operation[] = [];
export const facts: readonly FactSet<unknown>[] = [gateFacts];
