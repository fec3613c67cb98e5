import { longBuckets, type Meter } from "../kernel/metrics.ts";
import { type Environment, environments } from "../kernel/principal.ts";
import { createOutbound, type Outbound, OutboundError } from "../outbound/index.ts";
import type { Resolve } from "../outbound/types.ts";
import type { WebhookAnswer, WebhookRequest } from "./types.ts";

export interface SenderParts {
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
  readonly meter: Meter;
}

/** Connections to one origin at a time: more than attempts run at a time, so that no endpoint waits for another one on the same host. */
const connections = 4_096;
/** Bytes that are read of an answer. */
const answerBytes = 4_096;

/** Sends requests to endpoints, and counts and times them. */
export function createSender({ outboundAllow, servesProduction, resolve, meter }: SenderParts) {
  const outbounds = new Map<Environment, Outbound>(
    environments.map((environment) => [
      environment,
      createOutbound({ environment, allow: outboundAllow, servesProduction, connections, ...(resolve && { resolve }) }),
    ]),
  );
  const attempts = meter.histogram({
    name: "aos_webhook_attempt_seconds",
    labels: ["outcome", "environment"],
    buckets: longBuckets,
    help: "Attempts to deliver events to endpoints.",
  });
  return {
    async send(request: WebhookRequest): Promise<WebhookAnswer> {
      const began = performance.now();
      const answer = await post(outbounds.get(request.environment) as Outbound, request);
      attempts.observe([outcomeOf(answer), request.environment], (performance.now() - began) / 1000);
      return answer;
    },
    close: async (): Promise<void> => void (await Promise.all([...outbounds.values()].map((one) => one.close()))),
  };
}

/** The class of the status (`2xx`), or the code of what kept an answer from coming. */
const outcomeOf = ({ code, status }: WebhookAnswer): string =>
  code ?? (status === null ? "none" : `${Math.floor(status / 100)}xx`);

/** Redirects are not followed: none keeps a POST and its body. */
async function post(
  outbound: Outbound,
  { url, headers, body, timeoutMs, signal }: WebhookRequest,
): Promise<WebhookAnswer> {
  try {
    const request = {
      url,
      method: "POST",
      headers,
      body,
      timeoutMs,
      signal,
      maxResponseBytes: answerBytes,
      cut: true,
      repeatable: true,
    };
    const answer = await outbound.send(request);
    const excerpt = Buffer.from(answer.body).toString("utf8");
    return { status: answer.status, code: null, detail: null, retryAfter: answer.headers["retry-after"], excerpt };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      status: error.status,
      code: error.code,
      detail: `${error.message}.`,
      retryAfter: undefined,
      excerpt: null,
    };
  }
}
