import type { CallContext } from "../../kernel/context.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import { teamsIn } from "../../kernel/handoff.ts";
import { basesOf } from "./definitions/store.ts";
import { agentFacts, type KnownAgent, type LiveVersionHere } from "./facts.ts";
import { evidenceFacts } from "./trust/facts.ts";
import type { SkillFits } from "./trust/rules.ts";

export { compare, type Difference } from "./definitions/bundle/compare.ts";
export { freezeFaults, parseFile, valueFaults, writeBundle } from "./definitions/bundle/index.ts";
export { callerTools, optionFaults } from "./definitions/caller-tools.ts";
export { type DependentSource, dependentSources } from "./definitions/dependents.ts";
export { type AgentBundle, type AgentDefinition, isRunnable, joinBundle } from "./definitions/schemas.ts";
export { type AgentRow, agentsNaming, basesWithin, findAgent, seenAgent } from "./definitions/store.ts";
export { draftJudge, type JudgedDraft } from "./definitions/validation.ts";
export type { DraftVerdict } from "./definitions/validation-schemas.ts";
export { chatSkill, chatSkillOf, findChat, findLiveSkill, isChat, skillNamed } from "./definitions/virtual-skills.ts";
export {
  type Experiment,
  type ExperimentArm,
  findExperiment,
  readExperiment,
} from "./deployments/canaries/experiment.ts";
export { type Arm, canaryHold, drawArm, drawable, standingCanary } from "./deployments/canaries/rules.ts";
export { listRunningCanaries, ruleOf as canaryRuleOf } from "./deployments/canaries/store.ts";
export { shadowEnded } from "./deployments/events.ts";
export { budgetOf, endOwnShadow, findShadowOf, isShadowed, type ShadowDeployment } from "./deployments/shadows.ts";
export { wasAbandoned } from "./deployments/store.ts";
export { agentNotDeployed, noVersion } from "./errors.ts";
export type { KnownAgent, LiveSkill, LiveVersion, LiveVersionHere } from "./facts.ts";
export {
  type BaseFreshness,
  type BudgetLimit,
  comparisons,
  healthSources,
  queuedTasks,
  trainingSources,
} from "./ports.ts";
export { skillsWith } from "./tools/rules.ts";
export { type LearntFrom, listLearntFrom } from "./training/history.ts";
export { findSkillModel, findSkillModelDigest, type ModelFinder, type SkillModelRow } from "./training/model-store.ts";
export { completeCase, forgetJudgement, type JudgedCase, recordJudgements } from "./trust/evidence-store.ts";
export type { SkillFits } from "./trust/rules.ts";
export {
  authorsOfVersion,
  confirmableVersion,
  connectionsUsed,
  versionDeciders,
  versionObject,
} from "./versions/deciders.ts";
export { findAskedVersion, findVersion, findVersionRecord, type VersionRow } from "./versions/store.ts";

/** From memory; undefined where no agent has the name. */
export function findKnownAgent(ctx: Pick<CallContext, "facts" | "scope">, name: string): KnownAgent | undefined {
  return ctx.facts.get(agentFacts).find(ctx.scope, name);
}

/** Agents that the caller may see, from memory. */
export function agentsSeen(ctx: Pick<CallContext, "facts" | "scope" | "principal">): readonly string[] {
  return ctx.principal.agents ?? ctx.facts.get(agentFacts).names(ctx.scope.organization);
}

/** From memory: the same array until a deployment changes. */
export function liveVersions(facts: FactsReader): readonly LiveVersionHere[] {
  return facts.get(agentFacts).live;
}

/** Agents whose live version or canary names the knowledge base, from memory. */
export function agentsLiveWith({ facts, scope }: Pick<CallContext, "facts" | "scope">, base: string): string[] {
  const known = facts.get(agentFacts);
  return known.names(scope.organization).filter((name) => {
    const { live, canary } = known.find(scope, name) ?? {};
    return [live, canary?.version].some((version) => version && basesOf(version.definition).includes(base));
  });
}

/** Agents whose live version or canary hands conversations to the team, from memory. */
export function agentsHandingTo({ facts, scope }: Pick<CallContext, "facts" | "scope">, team: string): string[] {
  const known = facts.get(agentFacts);
  return known.names(scope.organization).filter((name) => {
    const { live, canary } = known.find(scope, name) ?? {};
    return [live, canary?.version].some((version) => teamsIn(version?.definition.handoff ?? {}).includes(team));
  });
}

/** From memory. */
export function isLiveIn(facts: FactsReader, environment: string): boolean {
  return facts.get(agentFacts).isLiveIn(environment);
}

/** Fitted maps of a version's skill in the environment, from memory. */
export function fitsOf(ctx: CallContext, versionId: string, skill: string): SkillFits {
  return ctx.facts.get(evidenceFacts).of(ctx.scope, versionId, skill);
}
