import { addressIn } from "../../../../../jobs/payload.ts";
import { wake } from "../../../../../jobs/queue.ts";
import type { JobSpec } from "../../../../../kernel/append.ts";
import { nothingUsed } from "../../../../../kernel/budget.ts";
import { type EmbeddingModel, embedder, type OpenEmbedding } from "../../../../../kernel/embedder.ts";
import { Refusal } from "../../../../../kernel/errors.ts";
import { workLease } from "../../../../../kernel/lease.ts";
import type { JobParts, Sweep } from "../../../../../kernel/machines.ts";
import { embedChunks } from "../operations/embed-chunks.ts";
import { textOf } from "../query-vectors.ts";
import {
  type BaseAddress,
  claimBase,
  indexVectors,
  keepVectors,
  listUnembedded,
  nextUnembedded,
  pauseBase,
  refuseChunk,
  releaseBase,
  renewBase,
  type Unembedded,
} from "../vector-store.ts";

export const embedJobName = "knowledge_embedding";
const batchSize = 64;
/** The sweep wakes another job for the rest, so that bases take turns. */
const mostBatches = 50;
const mostBases = 20;

type EmbedParts = Pick<JobParts, "db" | "inside" | "port">;

const embedJob = (at: BaseAddress): JobSpec => ({ task: embedJobName, payload: { ...at }, key: `embed ${at.base}` });

export const embedSweep: Sweep = {
  name: "knowledge.embed",
  async run({ db }) {
    await wake(db, (await listUnembedded(db, mostBases)).map(embedJob));
  },
};

/** What the provider refuses pauses the base; the sweep comes back to it. */
export function createEmbedJob(parts: EmbedParts): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const address = addressIn(payload, "base");
    const at = address && { ...address, base: address.id };
    let model = at && (await claimBase(parts.db, at));
    if (!at || !model) return;
    // A lease that cannot be renewed lapses.
    const timer = setInterval(() => void renewBase(parts.db, at).catch(() => undefined), workLease.renewMs);
    try {
      const open = await parts.port(embedder).open(at, model);
      for (let batch = 0; batch < mostBatches && model; batch++) {
        if (!(await embedBatch(parts, at, model, open))) break;
        const still = await claimBase(parts.db, at, true);
        model = JSON.stringify(still) === JSON.stringify(model) ? still : undefined;
      }
      await releaseBase(parts.db, at);
    } catch (error) {
      await pauseBase(parts.db, at, whyPaused(error));
      if (!isExpected(error)) throw error;
    } finally {
      clearInterval(timer);
    }
  };
}

/** False: none left. */
async function embedBatch(
  parts: EmbedParts,
  at: BaseAddress,
  model: EmbeddingModel,
  open: OpenEmbedding,
): Promise<boolean> {
  const chunks = await nextUnembedded(parts.db, at, batchSize);
  if (chunks.length === 0) return false;
  try {
    await embedAll(parts, at, model, open, chunks);
  } catch (error) {
    if (!isOfTexts(error)) throw error;
    // One of the texts is refused: each goes by itself, so that the others get theirs.
    for (const chunk of chunks) {
      await embedAll(parts, at, model, open, [chunk]).catch((one: unknown) => {
        if (!isOfTexts(one)) throw one;
        return refuseChunk(parts.db, at, chunk.place, (one as Error).message);
      });
    }
  }
  return true;
}

async function embedAll(
  { db, inside }: EmbedParts,
  at: BaseAddress,
  model: EmbeddingModel,
  open: OpenEmbedding,
  chunks: readonly Unembedded[],
): Promise<void> {
  const texts = chunks.map(textOf);
  const tokens = open.estimate(texts);
  const { base, ...scope } = at;
  const asked = { base, model, chunks: chunks.length, tokens, usd: open.costOf(tokens) };
  const { charge } = await inside(embedChunks, scope, asked);
  try {
    const embedded = await open.embed(texts, { patient: true });
    const usd = open.costOf(embedded.tokens);
    await charge?.settle({ tokens: embedded.tokens, usd: usd ?? 0, ...(open.price !== null && { price: open.price }) });
    await indexVectors(db, embedded.vectors[0]?.length ?? 0);
    await keepVectors(db, at, model, chunks, embedded, usd ?? 0);
  } finally {
    await charge?.settle(nothingUsed); // without effect where it was settled
  }
}

/** Caused by the texts, not by the connection. */
const ofTexts: ReadonlySet<string> = new Set(["provider_input_too_long", "provider_refused_request"]);

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && code.startsWith("provider_") ? code : undefined;
};

const isOfTexts = (error: unknown): boolean => ofTexts.has(codeOf(error) ?? "");
const isExpected = (error: unknown): boolean => error instanceof Refusal || codeOf(error) !== undefined;

function whyPaused(error: unknown): { code: string; detail: string; retryAfterMs: number | null } {
  if (error instanceof Refusal) return { code: error.type.code, detail: error.details.detail, retryAfterMs: 60_000 };
  const code = codeOf(error);
  if (code === undefined)
    return { code: "embedding_failed", detail: "A fault of the service, which was logged.", retryAfterMs: null };
  const { message, retryAfterMs = null } = error as Error & { retryAfterMs?: number | null };
  return { code, detail: message, retryAfterMs };
}
