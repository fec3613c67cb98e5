import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import { agentFacts } from "./facts.ts";
import * as deployments from "./lists/deployments.ts";
import * as drafts from "./lists/drafts.ts";
import * as training from "./lists/training.ts";
import { listAgents } from "./operations/list-agents.ts";
import { readAgent } from "./operations/read-agent.ts";

export { createJobs } from "./lists/training.ts";

export const operations: readonly Operation[] = [
  listAgents,
  readAgent,
  ...drafts.operations,
  ...deployments.operations,
  ...training.operations,
];
export const facts: readonly FactSet<unknown>[] = [
  agentFacts,
  ...drafts.facts,
  ...deployments.facts,
  ...training.facts,
];
export const sweeps: readonly Sweep[] = [...drafts.sweeps, ...deployments.sweeps, ...training.sweeps];
