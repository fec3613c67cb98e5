import { storedActor, storedPersons } from "../../kernel/actor.ts";
import { defineStanding } from "../admin/public.ts";
import { findMonitor, giveMonitor, lockMonitor } from "./review-store.ts";

/** The name of a monitor among what people take over. */
export const monitorObject = (id: string): string => `monitor:${id}`;

export const standingMonitor = defineStanding({
  kind: "monitor",
  permission: "evaluations:write",
  part: "output",
  async find(ctx, id) {
    const row = await findMonitor(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agent, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: monitorObject(id), ...acts, agents: [agent], path: "/v1/evaluations/monitors" };
  },
  lock: lockMonitor,
  give: (ctx, { id }, actor) => giveMonitor(ctx, id, actor),
});
