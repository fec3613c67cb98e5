import type { Reservation } from "../../../../kernel/budget.ts";
import type { EmbeddingModel } from "../../../../kernel/embedder.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";

export interface EmbedChunks {
  readonly base: string;
  readonly model: EmbeddingModel;
  readonly chunks: number;
  /** At most, as far as can be told before. */
  readonly tokens: number;
  /** Null: nobody knows its price. */
  readonly usd: number | null;
}

/** The batch may be sent. `reservation` stays held until it is back; null: no budget covers it. */
export interface ChunksEmbedded {
  readonly reservation: Reservation | null;
}

/** A batch of a base's chunks goes to the model that makes their vectors. It changes nothing: its record is all that is written. */
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
  together: (ctx) => ({ reservation: ctx.keepReserved() }),
  handle: async (ctx) => ({ reservation: ctx.keepReserved() }),
});
