import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { automationStopped, stop, whyStopped } from "../../../admin/public.ts";
import { sinks } from "../resource.ts";
import { sinkObject, sinkPermission } from "../rules.ts";

interface StopSink {
  readonly sink: string;
  /** The attempt that found it; another one, which holds the sink by now, looks itself. */
  readonly attempt: number;
}

/** Stops a sink whose owner may no longer export the log. */
export const stopSink: InsideOperation<StopSink, { readonly stopped: true }> = defineInside({
  id: "audit.stopSink",
  summary: "Stop an audit sink",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { sink }: StopSink) => sinks.rows.find(ctx, sink),
  gate: exempt("makes no agent act"),
  compliance: exempt("follows from what its owner may do"),
  audit: ({ params: { sink } }) => sinkObject(sink),
  emits: [automationStopped],
  errors: [conflict],
  async handle(ctx, { loaded, params: { attempt } }) {
    const sink = await sinks.rows.lock(ctx, loaded.id);
    const why = sink && (await whyStopped(ctx, { actor: sink.actor, agents: null }, sinkPermission));
    if (!sink || why === null || sink.attempt !== attempt || sink.stopped_reason !== null)
      throw refuse(conflict, "The sink is no longer in the hands of this attempt, or its owner may go on.");
    const stopped = stop(ctx, sinkObject(sink.id), sink, why as string);
    await sinks.rows.update(ctx, sink, { ...stopped, lease_until: null });
    return { stopped: true as const };
  },
});
