import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { keepChanges } from "../corrections.ts";
import type { Cut } from "../ingest/pieces.ts";
import { lockReindexed, noteReindexed, stillOfVersion } from "../ingest/reindex-base-store.ts";
import { removeChunks } from "../search/index-store.ts";
import { indexesOf } from "../store.ts";
import { indexInBatches } from "../version-store.ts";

export interface StoreGeneration {
  readonly base: string;
  readonly attempt: number;
  /** The generation that is being built. */
  readonly next: number;
  /** In the order of their ids; what is cut of them. */
  readonly documents: readonly { readonly id: string; readonly version: number; readonly chunks: readonly Cut[] }[];
}

/**
 * Adds documents to the generation of a base that is being built. One that was changed since it was cut is left out: who changed it has put it into both
 * generations.
 */
export const storeGeneration: InsideOperation<StoreGeneration, { readonly chunks: number }> = defineInside({
  id: "knowledge.storeGeneration",
  summary: "Add documents to the next index of a base",
  permission: exempt("a machine of the service itself"),
  load: exempt("looks the base up under its lock"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { base } }) => `base:${base}`,
  errors: [conflict],
  async handle(ctx, { params }: { params: StoreGeneration }) {
    const base = await lockReindexed(ctx, params);
    const [served, index] = base ? indexesOf(base) : [];
    if (!base || !served || !index) throw refuse(conflict, "The base is no longer in the hands of this attempt.");
    const { documents } = params;
    const present = await stillOfVersion(ctx, documents);
    const cut = documents
      .filter(({ id }) => present.has(id))
      .flatMap(({ id, version, chunks }) => chunks.map((chunk) => ({ ...chunk, document: id, version })));
    const chunks = await keepChanges(ctx, served, cut);
    await removeChunks(ctx, base, { documents: [...present], generation: index.generation });
    await indexInBatches(ctx, index, chunks);
    await noteReindexed(ctx, base.id, documents.at(-1)?.id ?? "", documents.length);
    return { chunks: chunks.length };
  },
});
