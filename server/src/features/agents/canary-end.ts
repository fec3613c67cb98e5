import type { WriteContext } from "../../kernel/context.ts";
import { deploymentAborted } from "./canary-events.ts";
import { endBeside, findCanary } from "./canary-store.ts";
import type { DeploymentAccount } from "./deployment-account.ts";
import { type DeploymentRow, findLive, replaceLive } from "./deployment-store.ts";
import { deploymentChanged } from "./deployments-events.ts";
import { agentFacts } from "./facts.ts";
import { endShadowFor } from "./shadow.ts";

/** Why a canary ends without its version going live. */
export type AbortCause = "worse" | "limit" | "gate" | "by_hand" | "deployment" | "rollback" | "archived";

interface Abort {
  readonly cause: AbortCause;
  readonly reason: string;
  /** What decided it, in the words of a look. */
  readonly evidence?: string;
  /** The deployment that takes the live one's place. */
  readonly by?: string;
}

/** Ends a canary whose version does not go live; the caller has locked the agent's row. */
export async function abortCanary(
  ctx: WriteContext,
  canary: DeploymentRow,
  { cause, reason, evidence, by }: Abort,
): Promise<void> {
  const outcome = cause === "deployment" || cause === "rollback" || cause === "archived" ? "ended" : "aborted";
  await endBeside(ctx, canary, { outcome, reason, ...(by !== undefined && { by }) });
  ctx.touch(agentFacts);
  ctx.emit(deploymentAborted, {
    agent: canary.agent,
    deployment_id: canary.id,
    version: canary.version_number,
    cause,
    reason,
    evidence: evidence ?? null,
    by: ctx.principal.id,
  });
}

/** Ends the canary that runs, if any, and a shadow, because what it is compared with goes; answers its id. */
export async function endCanaryFor(ctx: WriteContext, agent: string, abort: Abort): Promise<string | null> {
  await endShadowFor(ctx, agent, abort.reason, abort.by);
  const canary = await findCanary(ctx, agent);
  if (canary) await abortCanary(ctx, canary, abort);
  return canary?.id ?? null;
}

/**
 * The canary's version takes the place of the live one, by a deployment of its own, whose id this returns. The caller has locked the agent's row.
 */
export async function promoteCanary(
  ctx: WriteContext,
  canary: DeploymentRow,
  { reason, gate, actor, deciders }: DeploymentAccount & { readonly reason: string; readonly gate: string },
): Promise<string> {
  const { agent, version_number: version } = canary;
  const live = await findLive(ctx, agent);
  const id = ctx.newId("dep");
  await endBeside(ctx, canary, { outcome: "promoted", reason, by: id });
  await endShadowFor(ctx, agent, `Version ${version} was promoted.`, id);
  await replaceLive(ctx, live, { id, agent, version, kind: "deploy", note: reason, gate, actor, deciders });
  ctx.touch(agentFacts);
  const previous_version = live?.version_number ?? null;
  const by = ctx.principal.id;
  ctx.emit(deploymentChanged, { agent, deployment_id: id, version, previous_version, kind: "promote", by });
  return id;
}
