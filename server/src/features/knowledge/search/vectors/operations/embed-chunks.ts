import type { EmbeddingModel } from "../../../../../kernel/embedder.ts";
import type { Charge } from "../../../../../kernel/ledger.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../../kernel/operation.ts";

export interface EmbedChunks {
  readonly base: string;
  readonly model: EmbeddingModel;
  readonly chunks: number;
  readonly tokens: number;
  /** Null: price unknown. */
  readonly usd: number | null;
}

export interface ChunksEmbedded {
  readonly charge: Charge | null;
}

/** Changes nothing: its record is all that is written. */
export const embedChunks: InsideOperation<EmbedChunks, ChunksEmbedded> = defineInside({
  id: "knowledge.embedChunks",
  summary: "Embed chunks of a knowledge base",
  permission: exempt("a worker of the service itself; the base's settings name the model"),
  load: (_ctx, params: EmbedChunks) => params,
  gate: exempt("makes no agent act"),
  compliance: governs("knowledge.embed", () => ({}), {
    spends: (ctx, { params: { tokens, usd } }) => ({
      agent: "",
      keyId: null,
      principal: ctx.principal.id,
      demand: { tokens, ...(usd === null ? { usdUnknown: true as const } : { usd }) },
    }),
  }),
  audit: ({ params }) => `base:${params.base}`,
  together: (ctx) => ({ charge: ctx.keepCharge() }),
  handle: async (ctx) => ({ charge: ctx.keepCharge() }),
});
