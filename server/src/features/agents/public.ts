import type { CallContext } from "../../kernel/context.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { agentFacts, type KnownAgent, type LiveVersionHere } from "./facts.ts";
import type { SkillFits } from "./trust-fitting.ts";
import { basesOf } from "./uses-store.ts";

export { compare, type Difference } from "./bundle/compare.ts";
export { wasAbandoned } from "./deployment-store.ts";
export { completeCase, forgetJudgement, type JudgedCase, recordJudgements } from "./evidence-store.ts";
export type { KnownAgent, LiveSkill, LiveVersion, LiveVersionHere } from "./facts.ts";
export { findSkillModel, findSkillModelDigest, type ModelFinder, type SkillModelRow } from "./model-store.ts";
export { comparisons, queuedTasks, trainingSources } from "./ports.ts";
export { isRunnable } from "./runnable.ts";
export { type LearntFrom, listLearntFrom } from "./training-history.ts";
export type { SkillFits } from "./trust-fitting.ts";
export { agentsNaming, basesWithin } from "./uses-store.ts";
export { findVersion, type VersionRow } from "./version-store.ts";
export { chatSkill, chatSkillOf, findChat, findLiveSkill, isChat, skillNamed } from "./virtual-skills.ts";

/** An agent as it stands in the call's environment, from memory; undefined where there is none of that name. */
export function findKnownAgent(ctx: Pick<CallContext, "facts" | "scope">, name: string): KnownAgent | undefined {
  return ctx.facts.get(agentFacts).find(ctx.scope, name);
}

/** Names of the agents that the caller sees, from memory. */
export function agentsSeen(ctx: Pick<CallContext, "facts" | "scope" | "principal">): readonly string[] {
  return ctx.principal.agents ?? ctx.facts.get(agentFacts).names(ctx.scope.organization);
}

/** All versions that are live, from memory: the same list until something else is. */
export function liveVersions(facts: FactsReader): readonly LiveVersionHere[] {
  return facts.get(agentFacts).live;
}

/** The agents of the scope whose live version names a knowledge base, from memory. */
export function agentsLiveWith({ facts, scope }: Pick<CallContext, "facts" | "scope">, base: string): string[] {
  const known = facts.get(agentFacts);
  return known.names(scope.organization).filter((name) => {
    const live = known.find(scope, name)?.live;
    return live ? basesOf(live.definition).includes(base) : false;
  });
}

/** Whether any agent is live in an environment. From memory. */
export function isLiveIn(facts: FactsReader, environment: string): boolean {
  return facts.get(agentFacts).isLiveIn(environment);
}

/** The fitted maps of a version's skill in the call's environment, from memory. */
export function fitsOf(ctx: CallContext, versionId: string, skill: string): SkillFits {
  return ctx.facts.get(evidenceFacts).of(ctx.scope, versionId, skill);
}
