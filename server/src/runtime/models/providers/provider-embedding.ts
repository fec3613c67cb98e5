import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { baseUrlOf, type ProviderModelDefinition, titleOf } from "./definition.ts";
import { type Addressed, failureOf, ProviderFailure } from "./failures.ts";
import type { Fetch, ProviderParts } from "./provider-model.ts";
import { pause, standardRetries, withRetries } from "./retries.ts";
import { estimateTokens } from "./usage.ts";
import { attemptSignal, inTime } from "./watch.ts";

export interface EmbeddingCall {
  readonly dimensions?: number;
  /** How long one attempt may take (milliseconds). */
  readonly timeMs: number;
  readonly signal?: AbortSignal;
}

/** Makes vectors of texts; what fails for good is thrown as a ProviderFailure. */
export type EmbedTexts = (
  texts: readonly string[],
  call: EmbeddingCall,
) => Promise<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number }>;

/** An embedding model of a provider, repeated and guarded as calls of its language models are. */
export function createProviderEmbedding(
  definition: Pick<ProviderModelDefinition, "provider" | "name"> & { readonly settings: { readonly base_url: string } },
  parts: ProviderParts,
): EmbedTexts {
  const at: Addressed = {
    title: titleOf(definition),
    model: definition.name,
    secret: parts.secret,
    now: () => parts.clock.now(),
  };
  const limits = { ...standardRetries, ...parts.retries };
  const retrying = { limits, random: parts.random ?? Math.random, sleep: parts.sleep ?? pause };
  const model = modelOf(definition, parts);
  const attempt = async (texts: readonly string[], { dimensions, timeMs, signal: caller }: EmbeddingCall) => {
    const signal = attemptSignal(caller);
    const options = { values: [...texts], abortSignal: signal.signal, ...optionsOf(definition, dimensions) };
    try {
      const call = Promise.resolve(model.doEmbed(options));
      const { embeddings, usage } = await inTime(call, timeMs, signal, () => late(at, timeMs));
      const tokens = usage?.tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      return { vectors: checked(embeddings, texts.length, at), tokens };
    } catch (error) {
      if (caller?.aborted) throw caller.reason;
      throw failureOf(error, at);
    } finally {
      signal.release();
    }
  };
  return (texts, call) => withRetries(() => attempt(texts, call), retrying, call.signal);
}

/** OpenAI's adapter takes dimensions as its own option, the compatible one as the standard's. */
const optionsOf = ({ provider }: Pick<ProviderModelDefinition, "provider">, dimensions: number | undefined) => {
  if (dimensions === undefined) return {};
  return provider === "openai" ? { dimensions, providerOptions: { openai: { dimensions } } } : { dimensions };
};

const late = ({ title }: Addressed, ms: number): ProviderFailure =>
  new ProviderFailure("provider_timed_out", `${title} made no vectors within ${ms / 1000} s: try again later.`);

/** A server that leaves vectors out, or answers with something that has no direction, would spoil the search without a word. */
function checked(vectors: readonly (readonly number[])[], count: number, { title, model }: Addressed) {
  const [first] = vectors;
  const usable =
    vectors.length === count &&
    first !== undefined &&
    first.length > 0 &&
    vectors.every((one) => one.length === first.length && one.every(Number.isFinite) && one.some((x) => x !== 0));
  if (usable) return vectors;
  const detail = `${title} answered ${vectors.length} vectors for ${count} texts, or some that cannot be compared: check that ${model} is an embedding model.`;
  throw new ProviderFailure("provider_answer_unreadable", detail);
}

function modelOf(
  definition: Pick<ProviderModelDefinition, "provider" | "name" | "settings">,
  { secret, fetch: given }: ProviderParts,
): EmbeddingModelV4 {
  const { provider, name } = definition;
  const baseURL = baseUrlOf(definition) as string;
  // A redirect would carry credentials to where nobody meant them to go.
  const fetch: Fetch = (input, init) => given(input, { ...init, redirect: "manual" });
  if (provider === "openai-compatible")
    return createOpenAICompatible({
      name: provider,
      baseURL,
      fetch,
      ...(secret === null ? {} : { apiKey: secret }),
    }).embeddingModel(name);
  if (provider === "openai" && secret !== null) return createOpenAI({ baseURL, apiKey: secret, fetch }).embedding(name);
  const detail = `A connection of kind ${provider} makes no vectors: name one of kind openai or openai-compatible.`;
  throw new ProviderFailure("provider_not_configured", detail);
}
