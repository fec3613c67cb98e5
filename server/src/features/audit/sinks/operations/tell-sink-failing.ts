import { isoTime } from "../../../../kernel/clock.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { sinkFailing } from "../events.ts";
import { sinks } from "../resource.ts";
import { sinkObject } from "../rules.ts";

interface TellSinkFailing {
  readonly sink: string;
}

/** Tells once that a sink fails for some minutes. */
export const tellSinkFailing: InsideOperation<TellSinkFailing, { readonly told: true }> = defineInside({
  id: "audit.tellSinkFailing",
  summary: "Tell that an audit sink fails",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { sink }: TellSinkFailing) => sinks.rows.find(ctx, sink),
  gate: exempt("makes no agent act"),
  compliance: exempt("follows from what the receiver answered"),
  audit: ({ params: { sink } }) => sinkObject(sink),
  emits: [sinkFailing],
  errors: [conflict],
  async handle(ctx, { loaded }) {
    const sink = await sinks.rows.lock(ctx, loaded.id);
    if (!sink || sink.failing_since === null || sink.told_at !== null || sink.last_error === null)
      throw refuse(conflict, "The sink has been acknowledged something since, or it was reported already.");
    await sinks.rows.update(ctx, sink, { told_at: new Date(ctx.now) });
    ctx.emit(sinkFailing, {
      sink_id: sink.id,
      kind: sink.kind,
      failing_since: isoTime(sink.failing_since),
      error: sink.last_error.code,
      position: sink.next_leaf,
    });
    return { told: true as const };
  },
});
