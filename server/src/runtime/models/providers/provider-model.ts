import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { Clock } from "../../../kernel/clock.ts";
import { baseUrlOf, type ProviderModelDefinition, titleOf } from "./definition.ts";
import { type Addressed, failureOf, ProviderFailure } from "./failures.ts";
import { askForJson } from "./json-answers.ts";
import { pause, type Retrying, type RetryLimits, standardRetries, withRetries } from "./retries.ts";
import { createMeter } from "./usage.ts";
import { type AttemptSignal, attemptSignal, inTime, watched } from "./watch.ts";

/** Makes a request of the Fetch standard; the service's guarded one, so that nobody can aim calls at what is not public. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How long a provider may take, in milliseconds. The limits of the skill hold besides these. */
export interface ProviderTimes {
  /** Until a stream begins. */
  readonly beginMs: number;
  /** Between two parts of a stream. */
  readonly silenceMs: number;
  /** For a whole answer that is not streamed. */
  readonly answerMs: number;
}

export const standardTimes: ProviderTimes = { beginMs: 120_000, silenceMs: 180_000, answerMs: 600_000 };

export interface ProviderParts {
  /** The secret of the connection that the definition names; null where it names none. */
  readonly secret: string | null;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly times?: Partial<ProviderTimes>;
  readonly retries?: Partial<RetryLimits>;
  /** From 0 to below 1, for the jitter of repeated calls. */
  readonly random?: () => number;
  /** Waits between repeated calls. */
  readonly sleep?: Retrying["sleep"];
}

/**
 * A model of a provider behind the AI SDK's interface, streaming and not. Calls that a rate limit, an overload or the network stopped are repeated within
 * limits, with Retry-After honoured; what fails for good is thrown (from a stream that has begun: an `error` part) as a ProviderFailure. An aborted call throws
 * its signal's reason. Settings of the definition hold where a call does not say otherwise. Nothing is read from environment variables.
 */
export function createProviderModel(definition: ProviderModelDefinition, parts: ProviderParts): LanguageModelV4 {
  const { provider, name } = definition;
  const at: Addressed = { title: titleOf(definition), model: name, secret: parts.secret, now: () => parts.clock.now() };
  const times = { ...standardTimes, ...parts.times };
  const retrying: Retrying = {
    limits: { ...standardRetries, ...parts.retries },
    random: parts.random ?? Math.random,
    sleep: parts.sleep ?? pause,
  };
  let made: LanguageModelV4 | undefined;
  let knowsSchemas = true;
  const attempt = async <T>(options: LanguageModelV4CallOptions, call: Call<T>, ms: number): Promise<T> => {
    made ??= inner(definition, parts);
    const given = askForJson(provider, withSettings(options, definition), knowsSchemas);
    return await once(made, given, { call, ms, at, caller: options.abortSignal });
  };
  const repeated = <T>(options: LanguageModelV4CallOptions, call: Call<T>, ms: number): Promise<T> =>
    withRetries(
      async () => {
        try {
          return await attempt(options, call, ms);
        } catch (error) {
          if (!knowsSchemas || !refusesSchemas(definition, options, error)) throw error;
          knowsSchemas = false;
          return await attempt(options, call, ms);
        }
      },
      retrying,
      options.abortSignal,
    );
  return {
    specificationVersion: "v4",
    provider,
    modelId: name,
    supportedUrls: {},
    doGenerate: (options) => repeated(options, generate, times.answerMs),
    doStream: (options) =>
      repeated(
        options,
        (model, given, signal) => stream(model, given, signal, { at, times, caller: options.abortSignal }),
        times.beginMs,
      ),
  };
}

type Call<T> = (model: LanguageModelV4, options: LanguageModelV4CallOptions, signal: AttemptSignal) => Promise<T>;

const generate: Call<Awaited<ReturnType<LanguageModelV4["doGenerate"]>>> = async (model, options, signal) => {
  try {
    const result = await model.doGenerate(options);
    const meter = createMeter(options);
    for (const part of result.content) {
      if (part.type === "text" || part.type === "reasoning")
        meter.see({ type: "text-delta", id: "", delta: part.text });
      else if (part.type === "tool-call") meter.see(part);
    }
    return { ...result, usage: meter.fill(result.usage) };
  } finally {
    signal.release();
  }
};

interface Streaming {
  readonly at: Addressed;
  readonly times: ProviderTimes;
  readonly caller: AbortSignal | undefined;
}

async function stream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  attempt: AttemptSignal,
  { at, times, caller }: Streaming,
) {
  const result = await model.doStream(options);
  const meter = createMeter(options);
  const parts: ReadableStream<LanguageModelV4StreamPart> = watched(result.stream, {
    attempt,
    caller,
    silenceMs: times.silenceMs,
    silent: () => late(at, times.silenceMs, "sent nothing more"),
    broken: (error) => inStream(error, at),
    cutOff: () => interrupted(at),
    meter,
  });
  return { ...result, stream: parts };
}

/** One attempt, within its time; whatever it throws is in words for people, unless it is the caller's own abort. */
async function once<T>(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  { call, ms, at, caller }: { call: Call<T>; ms: number; at: Addressed; caller: AbortSignal | undefined },
): Promise<T> {
  const signal = attemptSignal(caller);
  try {
    return await inTime(call(model, { ...options, abortSignal: signal.signal }, signal), ms, signal, () =>
      late(at, ms, "did not begin to answer"),
    );
  } catch (error) {
    signal.release();
    if (caller?.aborted) throw caller.reason;
    throw failureOf(error, at);
  }
}

function late({ title }: Addressed, ms: number, what: string): ProviderFailure {
  return new ProviderFailure("provider_timed_out", `${title} ${what} within ${ms / 1000} s: try again later.`);
}

function interrupted({ title }: Addressed, cause?: unknown): ProviderFailure {
  return new ProviderFailure("provider_interrupted", `${title} broke off in the middle of its answer: try again.`, {
    cause,
  });
}

/** In the middle of an answer a lost connection is an interruption, as is an end that none was announced for; what the provider itself says stays what it is. */
function inStream(error: unknown, at: Addressed): ProviderFailure {
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return interrupted(at);
  const failure = failureOf(error, at);
  return failure.code === "provider_unavailable" && failure.said === null ? interrupted(at, failure.cause) : failure;
}

/** Whether a server that speaks OpenAI's interface does not know answers by schema. */
function refusesSchemas(
  { provider }: ProviderModelDefinition,
  { responseFormat }: LanguageModelV4CallOptions,
  error: unknown,
): boolean {
  return (
    provider === "openai-compatible" &&
    responseFormat?.type === "json" &&
    error instanceof ProviderFailure &&
    error.code === "provider_refused_request" &&
    /response_format|json_schema|structured/i.test(error.said ?? "")
  );
}

function withSettings(
  options: LanguageModelV4CallOptions,
  { settings }: ProviderModelDefinition,
): LanguageModelV4CallOptions {
  const temperature = options.temperature ?? settings?.temperature;
  const topP = options.topP ?? settings?.top_p;
  const maxOutputTokens = options.maxOutputTokens ?? settings?.max_output_tokens;
  const seed = options.seed ?? settings?.seed;
  return {
    ...options,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(seed !== undefined && { seed }),
  };
}

/** The AI SDK's model. It would fall back to environment variables for settings that are left out, so all are set. */
function inner(definition: ProviderModelDefinition, { secret, fetch: given }: ProviderParts): LanguageModelV4 {
  const { provider, name } = definition;
  const baseURL = baseUrlOf(definition);
  if (baseURL === undefined || !URL.canParse(baseURL)) {
    const detail = `The model ${name} has no address that can be called: give its settings a base_url, such as http://127.0.0.1:11434/v1.`;
    throw new ProviderFailure("provider_not_configured", detail);
  }
  // A redirect would carry credentials to where nobody meant them to go.
  const fetch: Fetch = (input, init) => given(input, { ...init, redirect: "manual" });
  if (provider === "openai-compatible") {
    const apiKey = secret === null ? {} : { apiKey: secret };
    return createOpenAICompatible({
      name: provider,
      baseURL,
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...apiKey,
    })(name);
  }
  if (secret === null) {
    const detail = `${titleOf(definition)} asks for credentials: add a connection with POST /v1/admin/connections and name it as the model's \`connection\`.`;
    throw new ProviderFailure("provider_not_configured", detail);
  }
  return provider === "anthropic"
    ? createAnthropic({ baseURL, apiKey: secret, fetch })(name)
    : createOpenAI({ baseURL, apiKey: secret, fetch }).responses(name);
}
