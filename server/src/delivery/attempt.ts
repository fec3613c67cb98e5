import { bodyOf, mediaTypeOf } from "../kernel/event-format.ts";
import { madeAt } from "../kernel/moment.ts";
import { signatureOf } from "../kernel/webhook-signature.ts";
import { retryAfterOf, waitAfter } from "./schedule.ts";
import type { Claimed, DeliveryOptions, Endpoint, Outcome, WebhookAnswer } from "./types.ts";

/** How long an endpoint may take to answer (milliseconds). */
export const answerMs = 15_000;
/** Characters that are kept of an answer. */
const excerptLength = 1_024;

/** What one attempt came to. `gone`: the endpoint wants nothing more. */
export interface Attempted {
  readonly outcome: Outcome;
  readonly gone: boolean;
}

/** Sends a delivery once, signs it by the secrets that are good at this moment, and says what becomes of it. */
export async function attempt(
  { clock, send, random }: Pick<DeliveryOptions, "clock" | "send"> & { readonly random: () => number },
  endpoint: Endpoint,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Attempted> {
  const startedAt = clock.now();
  const { environment } = claimed.scope;
  const { eventId, type, taskId } = claimed;
  const body = bodyOf(
    endpoint.format,
    { id: eventId, type, time: madeAt(eventId), taskId, body: claimed.body },
    environment,
  );
  const seconds = Math.floor(startedAt / 1000);
  const signature = signatureOf(secretsOf(endpoint, startedAt), eventId, seconds, body);
  const began = performance.now();
  const answer = await send({
    environment,
    url: endpoint.url,
    headers: headersOf(endpoint, claimed, seconds, signature),
    body,
    timeoutMs: answerMs,
    signal,
  });
  const { error, detail } = verdictOf(answer);
  const outcome: Outcome = {
    claimed,
    startedAt,
    latencyMs: Math.round(performance.now() - began),
    url: endpoint.url,
    format: endpoint.format,
    signature,
    status: answer.status,
    error,
    detail,
    excerpt: answer.excerpt === null ? null : cleaned(answer.excerpt),
    fate: fateOf(claimed, error, random(), retryAfterOf(answer.retryAfter, clock.now()), clock.now()),
  };
  return { outcome, gone: error === "gone" };
}

function secretsOf({ secret, earlier }: Endpoint, now: number): Buffer[] {
  return [secret, ...earlier.filter(({ until }) => until > now).map((one) => one.secret)];
}

function headersOf({ format }: Endpoint, claimed: Claimed, seconds: number, signature: string): Record<string, string> {
  const { eventId, sequence, auditId, checkpoint, scope } = claimed;
  return {
    "content-type": mediaTypeOf(format),
    "user-agent": "AgentOperationsService-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signature,
    "aos-environment": scope.environment,
    ...(sequence === null ? { "aos-test": "true" } : { "aos-sequence": String(sequence) }),
    ...(auditId === null ? {} : { "aos-audit-ref": auditId }),
    ...(checkpoint === null ? {} : { "aos-checkpoint": Buffer.from(checkpoint).toString("base64") }),
  };
}

/** The class of what went wrong, with a sentence; null: it was taken. An answer counts by its status, also where its body could not be read. */
function verdictOf({ status, code, detail }: WebhookAnswer): { error: string | null; detail: string | null } {
  if (status !== null && status >= 200 && status < 300 && code !== "timeout") return { error: null, detail: null };
  if (code === "aborted") return { error: "interrupted", detail: "The service stopped in the middle of the attempt." };
  if (status === null || code === "timeout") return { error: code ?? "connection_lost", detail };
  if (status === 410)
    return { error: "gone", detail: "The endpoint answered 410: it accepts no further events and was disabled." };
  if (status >= 300 && status < 400) {
    return {
      error: "redirect",
      detail: `The endpoint answered with a redirect (${status}), which is not followed: change its URL.`,
    };
  }
  return { error: "status", detail: `The endpoint answered ${status}; 2xx takes a delivery.` };
}

/** What becomes of a delivery after an attempt. */
function fateOf(
  { step, gone, sequence }: Claimed,
  error: string | null,
  random: number,
  retryAfter: number | null,
  now: number,
): Outcome["fate"] {
  if (error === null) return { state: "delivered", nextAt: now, step };
  if (error === "interrupted") return { state: "pending", nextAt: now, step };
  // Answered so again it is given up, and a sample at once: else an endpoint that refuses one event alone would be disabled as often as somebody enables it.
  if (error === "gone" && (gone || sequence === null)) return { state: "failed", nextAt: now, step };
  // It waits while the endpoint is disabled. Where it is not, since it was changed in the meantime, it is tried soon.
  if (error === "gone") return { state: "pending", nextAt: now + (waitAfter(1, random, retryAfter) ?? 0), step };
  const wait = waitAfter(step + 1, random, retryAfter);
  return wait === null
    ? { state: "failed", nextAt: now, step: step + 1 }
    : { state: "pending", nextAt: now + wait, step: step + 1 };
}

/** As text that can be stored: PostgreSQL takes no NUL, and JSON no half of a character. */
function cleaned(text: string): string | null {
  const short = text.replaceAll("\u0000", "").slice(0, excerptLength).toWellFormed();
  return short === "" ? null : short;
}
