import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { automationStopped, stoppedText, tellStopped } from "../../admin/public.ts";
import {
  type FiringAddress,
  type FiringFailure,
  lockTrigger,
  noteFailure,
  postponeFiring,
  takeFiring,
} from "../firing-store.ts";
import { triggerObject } from "../trigger-content.ts";
import { triggerNotPermitted } from "../trigger-errors.ts";
import { findTrigger, stopTrigger, type TriggerRow } from "../trigger-store.ts";

export interface RefuseFiring extends FiringAddress {
  readonly failure: FiringFailure;
  /** When it is tried again, in milliseconds since the epoch; null: never. */
  readonly again: number | null;
}

/** Writes down at a trigger why it started no run. What may pass is tried again; one whose account may not run workflows stops. */
export const refuseFiring: InsideOperation<RefuseFiring, { readonly noted: true }> = defineInside({
  id: "workflows.refuseFiring",
  summary: "Note that a trigger started no run",
  permission: exempt("the sweeper of the service itself"),
  load: (ctx, { trigger }: RefuseFiring) => findTrigger(ctx, trigger),
  gate: exempt("starts nothing"),
  compliance: exempt("writes down what was refused"),
  emits: [automationStopped],
  audit: ({ loaded, params }) => `workflow:${loaded?.workflow ?? params.trigger}`,
  async handle(ctx, { params: { failure, again, ...address } }) {
    const trigger = await lockTrigger(ctx, address.trigger);
    if (again === null) await takeFiring(ctx, address);
    else await postponeFiring(ctx, address, new Date(again));
    await noteFailure(ctx, address.trigger, failure);
    if (trigger && failure.code === triggerNotPermitted.code) await stop(ctx, trigger, failure.detail);
    return { noted: true };
  },
});

async function stop(ctx: WriteContext, { id, principal, stopped_reason }: TriggerRow, why: string): Promise<void> {
  if (stopped_reason !== null) return;
  const reason = stoppedText(why.replace(/\.$/, ""));
  await stopTrigger(ctx, id, reason);
  tellStopped(ctx, triggerObject(id), principal, reason);
}
