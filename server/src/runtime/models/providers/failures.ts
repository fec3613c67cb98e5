import { APICallError } from "@ai-sdk/provider";
import { shortened } from "@aos/text";
import { OutboundError, type OutboundErrorCode } from "../../../outbound/index.ts";

/** Why a model call came to nothing, as callers of tasks read it. Codes are contract: added freely, never renamed. */
export type ProviderFailureCode =
  | "provider_not_configured"
  | "provider_address_refused"
  | "provider_unauthorized"
  | "provider_forbidden"
  | "provider_quota_exhausted"
  | "provider_rate_limited"
  | "provider_model_unknown"
  | "provider_input_too_long"
  | "provider_refused_request"
  | "provider_unavailable"
  | "provider_timed_out"
  | "provider_interrupted"
  | "provider_answer_unreadable";

/** A model call that failed. `message` is one sentence for people, with the remedy; it holds no credentials. */
export class ProviderFailure extends Error {
  readonly code: ProviderFailureCode;
  /** Whether the same call can succeed later without anybody changing anything. */
  readonly retryable: boolean;
  /** After how many milliseconds the provider asks to be called again; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** What the provider itself said, in one line and without credentials; null: nothing that helps. */
  readonly said: string | null;

  constructor(code: ProviderFailureCode, message: string, more: FailureDetails = {}) {
    super(message, { cause: more.cause });
    this.name = "ProviderFailure";
    this.code = code;
    this.retryable = retryables.has(code);
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.said = more.said ?? null;
  }
}

export interface FailureDetails {
  readonly retryAfterMs?: number | null;
  readonly said?: string | null;
  /** Of the network. What the AI SDK throws holds the whole request, so it goes no further, where it could be logged. */
  readonly cause?: unknown;
}

const retryables: ReadonlySet<ProviderFailureCode> = new Set([
  "provider_rate_limited",
  "provider_unavailable",
  "provider_timed_out",
  "provider_interrupted",
]);

/** Whom a failure concerns. */
export interface Addressed {
  /** For people: `Anthropic`, `OpenAI` or the server's host. */
  readonly title: string;
  readonly model: string;
  /** Taken out of everything that a provider says. */
  readonly secret: string | null;
  /** Milliseconds since the epoch, for dates in Retry-After. */
  readonly now: () => number;
}

/** Puts what the AI SDK or the network threw into words for people. A failure that is one already stays as it is. */
export function failureOf(error: unknown, at: Addressed): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const outgoing = causes(error).find((one) => one instanceof OutboundError);
  if (outgoing) return onTheWay(outgoing, at);
  if (
    APICallError.isInstance(error) &&
    error.statusCode !== undefined &&
    error.statusCode >= 300 &&
    !isEmptyAnswer(error)
  )
    return answeredWith(error, at);
  const streamed = streamError(error);
  if (streamed) return answeredWith(streamed, at);
  const { title } = at;
  const network = causes(error).some(isNetworkError);
  if (network || (APICallError.isInstance(error) && error.isRetryable))
    return new ProviderFailure(
      "provider_unavailable",
      `${title} cannot be reached: ${networkWord(error)}. Try again later.`,
      {
        cause: causes(error).at(-1),
      },
    );
  return unreadable(error, at);
}

/** What a provider answered: a status, and what it said. */
interface Answered {
  readonly statusCode?: number | undefined;
  readonly message: string;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly responseBody?: string | undefined;
}

function answeredWith(answered: Answered, at: Addressed): ProviderFailure {
  const status = answered.statusCode ?? 500;
  const code = codeOf(status, `${answered.message} ${answered.responseBody ?? ""}`);
  const said = tidy(answered.message, at.secret);
  return new ProviderFailure(code, sentenceOf(code, status, said, at), {
    said,
    retryAfterMs: retryAfter(answered.responseHeaders ?? {}, at.now()),
  });
}

/** Words by which providers say the same thing under different statuses. */
const words = {
  quota: /insufficient_quota|credit balance is too low|exceeded your current quota|billing_(error|hard_limit)/i,
  tooLong:
    /context_length_exceeded|prompt is too long|maximum context length|context window|request_too_large|too many input tokens/i,
  model: /model_not_found|not_found_error|model .{0,120}(does not exist|not found)|unknown model/i,
} as const;

function codeOf(status: number, text: string): ProviderFailureCode {
  if (status < 400) return "provider_address_refused";
  if (status === 402 || words.quota.test(text)) return "provider_quota_exhausted";
  if (status === 401) return "provider_unauthorized";
  if (status === 403) return "provider_forbidden";
  if (status === 429) return "provider_rate_limited";
  if (status === 408 || status === 504) return "provider_timed_out";
  if (status >= 500 || status === 409 || status === 425) return "provider_unavailable";
  if (status === 413 || words.tooLong.test(text)) return "provider_input_too_long";
  if (status === 404 || words.model.test(text)) return "provider_model_unknown";
  return "provider_refused_request";
}

function sentenceOf(
  code: ProviderFailureCode,
  status: number,
  said: string | null,
  { title, model }: Addressed,
): string {
  const quoted = said === null ? "" : ` It said: ${said}`;
  switch (code) {
    case "provider_address_refused":
      return `${title} answered with a redirect (${status}), which is not followed with credentials: use the address that it leads to as base URL.`;
    case "provider_unauthorized":
      return `${title} does not accept the credentials (${status}): renew the secret of the connection that the agent's model names.`;
    case "provider_forbidden":
      return `${title} does not let these credentials use ${model} (${status}): have the access granted, or use another model or connection.${quoted}`;
    case "provider_quota_exhausted":
      return `The account at ${title} has no credit or quota left (${status}): top it up or raise its limit.${quoted}`;
    case "provider_rate_limited":
      return `${title} limits the rate of calls (${status}), and went on doing so when the call was repeated: try again later or have the limit raised.${quoted}`;
    case "provider_model_unknown":
      return `${title} has no model ${model} at this address (${status}): check the model's name and the base URL.${quoted}`;
    case "provider_input_too_long":
      return `The input is longer than ${model} takes (${status}): shorten instructions, input or tool output, use a model with a longer context, or, where the input and the room kept for the answer are too long together, set the model's \`max_output_tokens\` lower.${quoted}`;
    case "provider_refused_request":
      return `${title} refused the request (${status}): look at the model's settings and the schemas of the skill and its tools.${quoted}`;
    case "provider_timed_out":
      return `${title} did not answer in time (${status}): try again later.`;
    default:
      return `${title} is not available at present (${status}): try again later.${quoted}`;
  }
}

function unreadable(error: unknown, { title, secret }: Addressed): ProviderFailure {
  const said = error instanceof Error ? tidy(error.message, secret) : null;
  const detail = `${title} gave an answer that cannot be read: check that the base URL is that of an interface of this provider's kind.`;
  return new ProviderFailure("provider_answer_unreadable", detail, { said });
}

/** What stopped a call on its way, by the codes of outgoing calls; what is not named here means that nobody could be reached. */
const onTheWayCodes: Readonly<Partial<Record<OutboundErrorCode, ProviderFailureCode>>> = {
  address_invalid: "provider_address_refused",
  https_required: "provider_address_refused",
  address_refused: "provider_address_refused",
  redirect_refused: "provider_address_refused",
  request_invalid: "provider_refused_request",
  timeout: "provider_timed_out",
  response_too_large: "provider_answer_unreadable",
  response_invalid: "provider_answer_unreadable",
};

function onTheWay(error: OutboundError, { title, secret }: Addressed): ProviderFailure {
  const why = tidy(error.message, secret) ?? error.code;
  return new ProviderFailure(
    onTheWayCodes[error.code] ?? "provider_unavailable",
    `${title} could not be called: ${why}.`,
    {
      cause: error,
    },
  );
}

/** One line of what a provider said: without credentials, control characters and length. */
function tidy(text: string, secret: string | null): string | null {
  const open = secret !== null && secret.length >= 4 ? text.replaceAll(secret, "[credentials]") : text;
  const line = open
    .replace(/\b(sk|pk|key|rk)-[\w*.-]{4,}/gi, "[credentials]")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line === "") return null;
  return shortened(line, 299);
}

/** When a provider wants to be called again: `retry-after-ms`, or Retry-After in seconds or as a date (RFC 9110, 10.2.3). Milliseconds; null: not said. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const find = (name: string): string | undefined =>
    Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const ms = Number.parseFloat(find("retry-after-ms") ?? "");
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = find("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** An error and what it was caused by, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

const networkCodes =
  /^(E[A-Z]+|UND_ERR_[A-Z_]+|ERR_(TLS|SSL|HTTP2)_[A-Z_]+|CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/;

function isNetworkError(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return (
    (typeof code === "string" && networkCodes.test(code)) ||
    error.message === "fetch failed" ||
    error.message === "terminated"
  );
}

const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its host name is not known",
  EAI_AGAIN: "its host name could not be looked up",
  ECONNRESET: "the connection was broken off",
  ETIMEDOUT: "the connection could not be made in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection could not be made in time",
};

function networkWord(error: unknown): string {
  const codes = causes(error).map((one) => (one as { code?: unknown }).code);
  return codes.map((code) => networkWords[String(code)]).find((word) => word !== undefined) ?? "the connection failed";
}

/** OpenAI's adapter gives a status of its own making to an answer of 200 in which nothing stands. */
const isEmptyAnswer = (error: APICallError): boolean => /returned no output/.test(error.message);

/** The payload of an error that came inside a stream, as the AI SDK hands it on. */
function streamError(error: unknown): Answered | undefined {
  if (typeof error !== "object" || error === null || error instanceof Error || !("message" in error)) return undefined;
  const { message, statusCode } = error as { message: unknown; statusCode?: unknown };
  return typeof message === "string" ? { message, ...(typeof statusCode === "number" && { statusCode }) } : undefined;
}
