import type { FactSet } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { agentFacts, evidenceFacts } from "./facts.ts";
import { listAgents } from "./operations/list-agents.ts";
import { readAgent } from "./operations/read-agent.ts";

export const operations: readonly Operation[] = [listAgents, readAgent];
export const facts: readonly FactSet<unknown>[] = [agentFacts, evidenceFacts];
