import { storedActor } from "../../../../kernel/actor.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped } from "../../../admin/public.ts";
import { stopUnlessPermitted } from "../actor.ts";
import { connectorRows } from "../resource.ts";
import { scheduleOf } from "../rules.ts";
import { nextRun } from "../schedule.ts";
import { openSync, syncJob } from "../sync-store.ts";

export interface StartDueSync {
  readonly connector: string;
}

/** Once, however many runs were missed. */
export const startDueSync: InsideOperation<StartDueSync, { readonly started: boolean }> = defineInside({
  id: "knowledge.startDueSync",
  summary: "Start a sync by its schedule",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { connector }: StartDueSync) => connectorRows.find(ctx, connector),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: StartDueSync }) => `connector:${params.connector}`,
  emits: [automationStopped],
  async handle(ctx, { params }) {
    const connector = await connectorRows.lock(ctx, params.connector);
    if (connector?.state !== "active" || connector.next_run_at === null || connector.next_run_at.getTime() > ctx.now)
      return { started: false };
    const { id, base, name } = connector;
    if ((await stopUnlessPermitted(ctx, connector)) !== null) return { started: false };
    await connectorRows.update(ctx, id, { next_run_at: nextRun(scheduleOf(connector), id, ctx.now) });
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
