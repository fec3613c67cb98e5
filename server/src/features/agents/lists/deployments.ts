import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { deployVersion } from "../operations/deploy-version.ts";
import { listDeployments } from "../operations/list-deployments.ts";
import { pauseAgent } from "../operations/pause-agent.ts";
import { resumeAgent } from "../operations/resume-agent.ts";
import { rollback } from "../operations/rollback.ts";

// Deployments of agents and their pauses, and what machines do for them.

export const operations: readonly Operation[] = [listDeployments, deployVersion, rollback, pauseAgent, resumeAgent];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
