import type { CallContext } from "../../kernel/context.ts";
import type { Evidence } from "../../kernel/trust/index.ts";
import { agentFacts, evidenceFacts, type KnownAgent } from "./facts.ts";

export type { KnownAgent, LiveSkill, LiveVersion } from "./facts.ts";
export { isRunnable } from "./runnable.ts";
export { findVersion, type VersionRow } from "./version-store.ts";

/** An agent as it stands in the call's environment, from memory; undefined where there is none of that name. */
export function findKnownAgent(ctx: Pick<CallContext, "facts" | "scope">, name: string): KnownAgent | undefined {
  return ctx.facts.get(agentFacts).find(ctx.scope, name);
}

/** The evidence about a version's skill in the call's environment, from memory. */
export function evidenceOf(ctx: CallContext, versionId: string, skill: string): Evidence {
  return ctx.facts.get(evidenceFacts).of(ctx.scope, versionId, skill);
}
