import { storedActor } from "../../../../kernel/actor.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped } from "../../../admin/public.ts";
import { stopUnlessPermitted } from "../connector-actor.ts";
import { findConnectorById, lockConnector, updateConnector } from "../connector-store.ts";
import { scheduleOf } from "../model.ts";
import { nextRun } from "../schedule.ts";
import { syncJob } from "../sync-job-spec.ts";
import { openSync } from "../sync-store.ts";

export interface StartDueSync {
  readonly connector: string;
}

/** Starts the sync of a connector whose time has come, once, however many runs were missed. */
export const startDueSync: InsideOperation<StartDueSync, { readonly started: boolean }> = defineInside({
  id: "knowledge.startDueSync",
  summary: "Start a sync by its schedule",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { connector }: StartDueSync) => findConnectorById(ctx, connector),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: StartDueSync }) => `connector:${params.connector}`,
  emits: [automationStopped],
  async handle(ctx, { params }) {
    const connector = await lockConnector(ctx, params.connector);
    if (connector?.state !== "active" || connector.next_run_at === null || connector.next_run_at.getTime() > ctx.now)
      return { started: false };
    const { id, base, name } = connector;
    if ((await stopUnlessPermitted(ctx, connector)) !== null) return { started: false };
    await updateConnector(ctx, id, { next_run_at: nextRun(scheduleOf(connector), id, ctx.now) });
    const about = {
      base,
      connector: id,
      connector_name: name,
      trigger: "schedule",
      author: storedActor(connector.actor).owner,
    } as const;
    const sync = await openSync(ctx, {
      ...about,
      id: ctx.newId("syn"),
      confirm_removals: false,
      created_at: new Date(ctx.now),
    });
    ctx.enqueue(syncJob(ctx.scope, sync.id));
    return { started: true };
  },
});
