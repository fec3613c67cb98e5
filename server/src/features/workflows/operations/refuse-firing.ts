import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { type FiringAddress, type FiringFailure, noteFailure, postponeFiring, takeFiring } from "../firing-store.ts";
import { findTrigger } from "../trigger-store.ts";

export interface RefuseFiring extends FiringAddress {
  readonly failure: FiringFailure;
  /** When it is tried again, in milliseconds since the epoch; null: never. */
  readonly again: number | null;
}

/** Writes down at a trigger why it started no run. What may pass is tried again. */
export const refuseFiring: InsideOperation<RefuseFiring, { readonly noted: true }> = defineInside({
  id: "workflows.refuseFiring",
  summary: "Note that a trigger started no run",
  permission: exempt("the sweeper of the service itself"),
  load: (ctx, { trigger }: RefuseFiring) => findTrigger(ctx, trigger),
  gate: exempt("starts nothing"),
  compliance: exempt("writes down what was refused"),
  audit: ({ loaded, params }) => `workflow:${loaded?.workflow ?? params.trigger}`,
  async handle(ctx, { params: { failure, again, ...address } }) {
    if (again === null) await takeFiring(ctx, address);
    else await postponeFiring(ctx, address, new Date(again));
    await noteFailure(ctx, address.trigger, failure);
    return { noted: true };
  },
});
