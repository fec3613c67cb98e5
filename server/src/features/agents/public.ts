import type { CallContext } from "../../kernel/context.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { agentFacts, type KnownAgent, type LiveVersionHere } from "./facts.ts";
import type { SkillFits } from "./trust-fitting.ts";
import { basesOf } from "./uses-store.ts";

export { compare, type Difference } from "./bundle/compare.ts";
export { freezeFaults, parseFile, valueFaults, writeBundle } from "./bundle/index.ts";
export { standingCanary } from "./canary-actor.ts";
export { type Arm, drawArm } from "./canary-draw.ts";
export { canaryHold, drawable } from "./canary-hold.ts";
export { authorsOfVersion, connectionsUsed, versionDeciders, versionObject } from "./deciders.ts";
export { type AgentBundle, type AgentDefinition, joinBundle } from "./definition.ts";
export { type DependentSource, dependentSources } from "./dependents.ts";
export { wasAbandoned } from "./deployment-store.ts";
export { agentNotDeployed, noVersion } from "./errors.ts";
export { completeCase, forgetJudgement, type JudgedCase, recordJudgements } from "./evidence-store.ts";
export { type Experiment, type ExperimentArm, findExperiment, readExperiment } from "./experiment.ts";
export type { KnownAgent, LiveSkill, LiveVersion, LiveVersionHere } from "./facts.ts";
export { type BaseFreshness, type BudgetStanding, healthSources } from "./health-port.ts";
export { findSkillModel, findSkillModelDigest, type ModelFinder, type SkillModelRow } from "./model-store.ts";
export { comparisons, queuedTasks, trainingSources } from "./ports.ts";
export { isRunnable } from "./runnable.ts";
export { listRunningCanaries } from "./running-canaries.ts";
export { budgetOf, endOwnShadow, findShadowOf, isShadowed, type ShadowDeployment } from "./shadow.ts";
export { shadowEnded } from "./shadow-events.ts";
export { type AgentRow, findAgent, seenAgent } from "./store.ts";
export { skillsWith } from "./tool-model.ts";
export { type LearntFrom, listLearntFrom } from "./training-history.ts";
export type { SkillFits } from "./trust-fitting.ts";
export { agentsNaming, basesWithin } from "./uses-store.ts";
export { draftJudge, type JudgedDraft } from "./validate-draft.ts";
export type { DraftVerdict } from "./validate-draft-schemas.ts";
export { confirmableVersion } from "./version-content.ts";
export { findAskedVersion, findVersion, findVersionRecord, type VersionRow } from "./version-store.ts";
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

/** The agents of the scope whose live version, or canary, names a knowledge base, from memory. */
export function agentsLiveWith({ facts, scope }: Pick<CallContext, "facts" | "scope">, base: string): string[] {
  const known = facts.get(agentFacts);
  return known.names(scope.organization).filter((name) => {
    const { live, canary } = known.find(scope, name) ?? {};
    return [live, canary?.version].some((version) => version && basesOf(version.definition).includes(base));
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
