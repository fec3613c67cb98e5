import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { formerGenerations, lockReindexed, noteRemoved } from "../ingest/reindex-base-store.ts";
import { removeChunks } from "../search/index-store.ts";
import { keepFormerChunks } from "../version-store.ts";

export interface RemoveFormerIndex {
  readonly base: string;
  readonly attempt: number;
  /** Empty: nothing is left to remove. */
  readonly documents: readonly string[];
}

/** Removes chunks of former generations, which are kept for their citations. */
export const removeFormerIndex: InsideOperation<RemoveFormerIndex, { readonly chunks: number }> = defineInside({
  id: "knowledge.removeFormerIndex",
  summary: "Remove a former index of a base",
  permission: exempt("a machine of the service itself"),
  load: exempt("looks the base up under its lock"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { base } }) => `base:${base}`,
  errors: [conflict],
  async handle(ctx, { params: { base: id, attempt, documents } }: { params: RemoveFormerIndex }) {
    const base = await lockReindexed(ctx, { base: id, attempt, next: null });
    if (!base) throw refuse(conflict, "The base is no longer in the hands of this attempt.");
    let chunks = 0;
    for (const generation of await formerGenerations(ctx, id, base.generation, documents)) {
      await keepFormerChunks(ctx, id, documents, { generation });
      chunks += await removeChunks(ctx, base, { documents, generation });
    }
    await noteRemoved(ctx, id, documents.length === 0);
    return { chunks };
  },
});
