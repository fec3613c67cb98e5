import { Webhook } from "standardwebhooks";
import { WebhookVerificationError } from "./errors.ts";
import type { EventBody, EventType } from "./methods.ts";

/** Headers as a server has them: those of `fetch`, or an object as `node:http` and its frameworks make. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** An event that came as a webhook. Switch over `type`: it says what `data` is. Further types may come. */
export type WebhookEvent = { [E in EventType]: WebhookEventOf<E> }[EventType];

/** An event of one type, whichever format the endpoint has. */
export interface WebhookEventOf<E extends EventType> {
  /** The same on every attempt to deliver it: what has been handled under this id need not be handled again. */
  readonly id: string;
  readonly type: E;
  /** The event itself, as the format `flat` carries it. */
  readonly data: EventBody<E>;
  readonly format: "flat" | "standard" | "cloudevents";
  /** When this attempt was sent. */
  readonly sentAt: Date;
  readonly environment: string | null;
  /** The place of the event among those of its environment: they may arrive in another order. */
  readonly sequence: number | null;
  /** The audit record of the call that caused the event. */
  readonly auditRef: string | null;
  /** The latest signed checkpoint of the audit log, in base64. */
  readonly checkpoint: string | null;
  /** Whether somebody tries the endpoint: nothing of it happened. */
  readonly test: boolean;
}

/**
 * The event in a webhook, after its signature was verified (Standard Webhooks, HMAC-SHA256, compared in constant time). `body` is the body as it came, byte for byte: parsed
 * and written again it has another signature. `secret` is that of the endpoint, `whsec_…`, or several while one is being replaced. Throws `WebhookVerificationError` where
 * the signature is wrong or missing, or the attempt is more than five minutes old or ahead: then it is none of the service's.
 */
export function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const text = textOf(body);
  const given = headersOf(headers);
  const { type, data, format } = eventOf(verified(text, given, typeof secret === "string" ? [secret] : secret));
  const sequence = given["aos-sequence"];
  return {
    id: given["webhook-id"] as string,
    type: type as EventType,
    data: data as EventBody,
    format,
    sentAt: new Date(Number(given["webhook-timestamp"]) * 1000),
    environment: given["aos-environment"] ?? null,
    sequence: sequence === undefined ? null : Number(sequence),
    auditRef: given["aos-audit-ref"] ?? null,
    checkpoint: given["aos-checkpoint"] ?? null,
    test: given["aos-test"] === "true",
  } as WebhookEvent;
}

/** What endpoints need: `webhooks.unwrap`. */
export const webhooks = { unwrap } as const;

function textOf(body: string | Uint8Array): string {
  if (typeof body === "string") return body;
  if (!(body instanceof Uint8Array))
    throw new TypeError(
      "unwrap takes the body as it came, a string or bytes; one that was parsed has lost what was signed",
    );
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new WebhookVerificationError("the body is no UTF-8", { cause });
  }
}

/** Headers by lower-case name, each once. */
function headersOf(headers: WebhookHeaders): Readonly<Record<string, string>> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const single = ([name, value]: [string, string | readonly string[] | undefined]): [string, string][] =>
    value === undefined ? [] : [[name.toLowerCase(), typeof value === "string" ? value : value.join(",")]];
  return Object.fromEntries(entries.flatMap(single));
}

/** The parsed body, where one of the secrets made its signature. */
function verified(text: string, headers: Readonly<Record<string, string>>, secrets: readonly string[]): unknown {
  if (secrets.length === 0) throw new TypeError("unwrap takes the secret of the endpoint; there is none");
  let last: unknown;
  for (const secret of secrets) {
    const webhook = new Webhook(secret); // throws where the secret is none
    try {
      webhook.verify(text, { ...headers }, { jsonParse: false });
      return JSON.parse(text);
    } catch (error) {
      last = error;
    }
  }
  throw new WebhookVerificationError(`the webhook cannot be verified: ${(last as Error).message}`, { cause: last });
}

interface Wrapped {
  readonly type: string;
  readonly data: unknown;
  readonly format: WebhookEvent["format"];
}

/** A body of any format: `{event, …}`, `{type, timestamp, data}` or a CloudEvent. */
function eventOf(body: unknown): Wrapped {
  const { event, type, data, specversion } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if (typeof event === "string") return { type: event, data: body, format: "flat" };
  if (typeof type === "string")
    return { type, data, format: typeof specversion === "string" ? "cloudevents" : "standard" };
  throw new WebhookVerificationError("the body is signed, but carries no event");
}
