import { storable, storedActor, storedPersons } from "../../../kernel/actor.ts";
import { defineStanding } from "../../admin/public.ts";
import { monitors } from "./resource.ts";
import { newestSequence } from "./store.ts";

/** Names a monitor in takeovers. */
export const monitorObject = (id: string): string => `monitor:${id}`;

export const standingMonitor = defineStanding({
  kind: "monitor",
  prefix: "mon",
  permission: "evaluations:write",
  part: "output",
  async find(ctx, id) {
    const row = await monitors.rows.find(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agent, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: monitorObject(id), ...acts, agents: [agent], path: "/v1/evaluations/monitors" };
  },
  lock: monitors.rows.lock,
  /** One that has stopped draws from now on. */
  async give(ctx, row, actor) {
    const started = row.stopped_at !== null && { drawn_to: newestSequence(ctx) };
    await monitors.rows.update(ctx, row, {
      actor: storable(actor),
      stopped_reason: null,
      stopped_at: null,
      ...started,
    });
  },
});
