import { asEarlier, storedActor } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { defineStanding, resolveActor } from "../admin/public.ts";
import { findRunningCanary, takeCanary } from "./canary-store.ts";
import type { DeploymentRow } from "./deployment-store.ts";

// In whose name the rule of a canary promotes it.

const permission = "agents:deploy";

/** The name of a canary among what people take over. */
export const canaryObject = (deployment: string): string => `canary:${deployment}`;

/** Why the service may not promote a canary in the name of whoever started it; null: it may. */
export async function whyCanaryMayNot(ctx: WriteContext, row: DeploymentRow): Promise<string | null> {
  if (row.actor === null) return "nobody is recorded who started it";
  return (await resolveActor(ctx, storedActor(row.actor), permission, [row.agent])).stopped ?? null;
}

const pathOf = ({ agent, id }: DeploymentRow): string => `/v1/agents/${agent}/deployments/${id}`;

export const standingCanary = defineStanding({
  kind: "canary",
  permission,
  part: "deployed",
  async find(ctx, id) {
    const row = await findRunningCanary(ctx, id);
    if (!row?.actor) return undefined;
    const { stopped_reason: stoppedReason, agent } = row;
    const actor = storedActor(row.actor);
    const deciders = asEarlier(actor.persons, "deployed", canaryObject(id));
    return { object: canaryObject(id), actor, deciders, stoppedReason, agents: [agent], path: pathOf(row) };
  },
  lock: findRunningCanary,
  give: (ctx, { id }, actor) => takeCanary(ctx, id, actor),
});
