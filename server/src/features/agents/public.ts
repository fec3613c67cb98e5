import type { CallContext } from "../../kernel/context.ts";
import type { FactsReader } from "../../kernel/facts.ts";
import type { Calibration, Evidence } from "../../kernel/trust/index.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { agentFacts, type KnownAgent } from "./facts.ts";

export { appendEvidence, type EvidenceRow, recordEvidence, replaceEvidence } from "./evidence-store.ts";
export type { KnownAgent, LiveSkill, LiveVersion } from "./facts.ts";
export { type LabelRow, recordLabel } from "./label-store.ts";
export { findSkillModel, findSkillModelDigest, type ModelFinder, type SkillModelRow } from "./model-store.ts";
export { isRunnable } from "./runnable.ts";
export { agentsNaming, basesWithin } from "./uses-store.ts";
export { findVersion, type VersionRow } from "./version-store.ts";

/** An agent as it stands in the call's environment, from memory; undefined where there is none of that name. */
export function findKnownAgent(ctx: Pick<CallContext, "facts" | "scope">, name: string): KnownAgent | undefined {
  return ctx.facts.get(agentFacts).find(ctx.scope, name);
}

/** Whether any agent is live in an environment. From memory. */
export function isLiveIn(facts: FactsReader, environment: string): boolean {
  return facts.get(agentFacts).isLiveIn(environment);
}

/** The evidence about a version's skill in the call's environment, from memory. */
export function evidenceOf(ctx: CallContext, versionId: string, skill: string): Evidence {
  return ctx.facts.get(evidenceFacts).of(ctx.scope, versionId, skill);
}

/** The map from logits to the published probability for scores of a version's agent in the call's environment, from memory. */
export function calibrationOf(ctx: CallContext, versionId: string): Calibration {
  return ctx.facts.get(evidenceFacts).calibration(ctx.scope, versionId);
}
