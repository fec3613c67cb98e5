import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { baseReindexed } from "../events.ts";
import { flipGeneration, lockReindexed } from "../ingest/reindex-base-store.ts";

export interface FinishReindex {
  readonly base: string;
  readonly attempt: number;
  readonly next: number;
}

/** Lets searches read the generation that was built. */
export const finishReindex: InsideOperation<FinishReindex, { readonly generation: number }> = defineInside({
  id: "knowledge.finishReindex",
  summary: "Serve the next index of a base",
  permission: exempt("a machine of the service itself"),
  load: exempt("looks the base up under its lock"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { base } }) => `base:${base}`,
  emits: [baseReindexed],
  errors: [conflict],
  async handle(ctx, { params }: { params: FinishReindex }) {
    const base = await lockReindexed(ctx, params);
    if (!base) throw refuse(conflict, "The base is no longer in the hands of this attempt.");
    await flipGeneration(ctx, base.id);
    ctx.emit(baseReindexed, { base_id: base.id, base: base.name, generation: params.next });
    return { generation: params.next };
  },
});
