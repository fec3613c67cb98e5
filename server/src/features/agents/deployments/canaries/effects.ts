import type { WriteContext } from "../../../../kernel/context.ts";
import { agentFacts } from "../../facts.ts";
import { deploymentAborted, deploymentChanged } from "../events.ts";
import { endShadowFor } from "../shadows.ts";
import { type DeploymentAccount, type DeploymentRow, findLive, replaceLive } from "../store.ts";
import { endBeside, findCanary } from "./store.ts";

type AbortCause = "worse" | "limit" | "gate" | "by_hand" | "deployment" | "rollback" | "archived";

interface Abort {
  readonly cause: AbortCause;
  readonly reason: string;
  readonly evidence?: string;
  readonly by?: string;
}

/** The caller has locked the agent's row. Returns the canary as it ended. */
export async function abortCanary(
  ctx: WriteContext,
  canary: DeploymentRow,
  { cause, reason, evidence, by }: Abort,
): Promise<DeploymentRow> {
  const outcome = cause === "deployment" || cause === "rollback" || cause === "archived" ? "ended" : "aborted";
  const ended = await endBeside(ctx, canary, { outcome, reason, ...(by !== undefined && { by }) });
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
  return ended;
}

/** Ends a canary and a shadow because the live version goes. Returns the canary's id. */
export async function endCanaryFor(ctx: WriteContext, agent: string, abort: Abort): Promise<string | null> {
  await endShadowFor(ctx, agent, abort.reason, abort.by);
  const canary = await findCanary(ctx, agent);
  if (canary) await abortCanary(ctx, canary, abort);
  return canary?.id ?? null;
}

/** Makes the canary's version live by a new deployment, whose id it returns, with the canary as it ended. The caller has locked the agent's row. */
export async function promoteCanary(
  ctx: WriteContext,
  canary: DeploymentRow,
  { reason, gate, actor, deciders }: DeploymentAccount & { readonly reason: string; readonly gate: string },
): Promise<{ readonly live: string; readonly ended: DeploymentRow }> {
  const { agent, version_number: version } = canary;
  const live = await findLive(ctx, agent);
  const id = ctx.newId("dep");
  const ended = await endBeside(ctx, canary, { outcome: "promoted", reason, by: id });
  await endShadowFor(ctx, agent, `Version ${version} was promoted.`, id);
  await replaceLive(ctx, live, { id, agent, version, kind: "deploy", note: reason, gate, actor, deciders });
  ctx.touch(agentFacts);
  const previous_version = live?.version_number ?? null;
  const by = ctx.principal.id;
  ctx.emit(deploymentChanged, { agent, deployment_id: id, version, previous_version, kind: "promote", by });
  return { live: id, ended };
}
