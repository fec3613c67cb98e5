import { storable, storedActor, storedPersons } from "../../../kernel/actor.ts";
import { defineStanding } from "../../admin/public.ts";
import { sinks } from "./resource.ts";
import { sinkObject, sinkPermission, triedAgain } from "./rules.ts";

/** Sinks as people take them over. */
export const standingSink = defineStanding({
  kind: "sink",
  prefix: "snk",
  permission: sinkPermission,
  part: "output",
  async find(ctx, id) {
    const row = await sinks.rows.find(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: sinkObject(id), ...acts, agents: null, path: `/v1/audit/sinks/${id}` };
  },
  lock: sinks.rows.lock,
  async give(ctx, row, actor) {
    const started = { actor: storable(actor), stopped_reason: null, stopped_at: null };
    await sinks.rows.update(ctx, row, { ...started, ...triedAgain(ctx.now), revision: row.revision + 1 });
  },
});
