import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { indexesOf } from "../../bases/lookup-store.ts";
import { keepChanges } from "../../documents/corrections.ts";
import { keepFormerChunks } from "../../documents/version-store.ts";
import { baseReindexed } from "../../events.ts";
import { indexChunks, removeChunks } from "../../search/index-store.ts";
import {
  flipGeneration,
  formerGenerations,
  lockReindexed,
  noteReindexed,
  noteRemoved,
  stillOfVersion,
} from "../generation-store.ts";
import type { Cut } from "../pieces.ts";

export interface StoreGeneration {
  readonly base: string;
  readonly attempt: number;
  readonly next: number;
  readonly documents: readonly { readonly id: string; readonly version: number; readonly chunks: readonly Cut[] }[];
}

/** Leaves out documents changed since: their writers put them into both generations. */
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
    await indexChunks(ctx, index, chunks);
    await noteReindexed(ctx, base.id, documents.at(-1)?.id ?? "", documents.length);
    return { chunks: chunks.length };
  },
});

export interface FinishReindex {
  readonly base: string;
  readonly attempt: number;
  readonly next: number;
}

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

export interface RemoveFormerIndex {
  readonly base: string;
  readonly attempt: number;
  /** Empty: nothing is left to remove. */
  readonly documents: readonly string[];
}

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
