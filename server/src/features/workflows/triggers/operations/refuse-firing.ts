import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { automationStopped, stoppedText, tellStopped } from "../../../admin/public.ts";
import { triggerNotPermitted } from "../../errors.ts";
import { triggerObject } from "../confirmation.ts";
import { type FiringAddress, type FiringFailure, noteFailure, postponeFiring, takeFiring } from "../firing-store.ts";
import { type TriggerRow, triggers } from "../resource.ts";
import { stopTrigger } from "../store.ts";

export interface RefuseFiring extends FiringAddress {
  readonly failure: FiringFailure;
  /** When it is tried again; null: never. */
  readonly again: Date | null;
}

/** Records at a trigger why it started no run. A temporary refusal is tried again; a trigger whose account may not run workflows stops. */
export const refuseFiring: InsideOperation<RefuseFiring, { readonly noted: true }> = defineInside({
  id: "workflows.refuseFiring",
  summary: "Note that a trigger started no run",
  permission: exempt("the sweeper of the service itself"),
  load: (ctx, { trigger }: RefuseFiring) => triggers.rows.find(ctx, trigger),
  gate: exempt("starts nothing"),
  compliance: exempt("writes down what was refused"),
  emits: [automationStopped],
  audit: ({ loaded, params }) => `workflow:${loaded?.workflow ?? params.trigger}`,
  async handle(ctx, { params: { failure, again, ...address } }) {
    const trigger = await triggers.rows.lock(ctx, address.trigger);
    if (again === null) await takeFiring(ctx, address);
    else await postponeFiring(ctx, address, again);
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
