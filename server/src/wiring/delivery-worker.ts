import type { Logger } from "pino";
import type { Sequencer } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import { createPool } from "../db/pool.ts";
import { createDelivery, type WebhookAnswer, type WebhookRequest } from "../delivery/index.ts";
import { disableWebhook, type WebhookPort } from "../features/webhooks/index.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { Refusal } from "../kernel/errors.ts";
import type { NewId } from "../kernel/ids.ts";
import { longBuckets, type Meter, noMeter } from "../kernel/metrics.ts";
import { type Environment, environments, type Scope } from "../kernel/principal.ts";
import { createOutbound, type Outbound, OutboundError } from "../outbound/index.ts";
import type { Resolve } from "../outbound/types.ts";
import type { Inside } from "../pipeline/inside.ts";

export interface DeliveryWorkerParts {
  readonly database: OpenDatabase;
  readonly sequencer: Pick<Sequencer, "onSequenced">;
  readonly webhooks: WebhookPort;
  readonly inside: Inside;
  readonly clock: Clock;
  readonly newId: NewId;
  /** What the operator opened besides public addresses. */
  readonly outboundAllow: readonly string[];
  /** Whether an agent is live in production: then development reaches no loopback. Default: none is. */
  readonly servesProduction?: (() => boolean) | undefined;
  readonly log: Logger;
  readonly report: (error: unknown) => void;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  readonly pollMs?: number;
  readonly random?: () => number;
  /** Default: nobody reads the figures. */
  readonly telemetry?: { readonly meter: Meter };
}

export interface DeliveryWorker {
  start(): void;
  stop(): Promise<void>;
}

/** Connections to one origin at a time: more than attempts run at a time, so that no endpoint waits for another one on the same host. */
const connections = 4_096;
/** Bytes that are read of an answer. */
const answerBytes = 4_096;

/** What a process of role `worker` does besides running tasks: delivers events to endpoints. */
export function createDeliveryWorker(parts: DeliveryWorkerParts): DeliveryWorker {
  const { database, sequencer, webhooks, inside, clock, newId, outboundAllow, servesProduction, log, report, resolve } =
    parts;
  const pool = createPool({
    connectionString: database.connectionString,
    applicationName: "aos-delivery",
    log,
    max: 5,
  });
  const ways = new Map<Environment, Outbound>(
    environments.map((environment) => [
      environment,
      createOutbound({ environment, allow: outboundAllow, servesProduction, connections, ...(resolve && { resolve }) }),
    ]),
  );
  const measured = createMeasure(parts.telemetry?.meter ?? noMeter);
  const machine = createDelivery({
    pool,
    clock,
    newId,
    credentialKey: webhooks.credentialKey,
    send: (request) => measured(request.environment, () => send(ways.get(request.environment) as Outbound, request)),
    disable: (scope, webhook, why) => {
      const input =
        why.reason === "gone"
          ? { webhook, reason: why.reason, url: why.url, asked_at: timestamp(why.askedAt) }
          : { webhook, reason: why.reason, failing_since: timestamp(why.since) };
      return inside(disableWebhook, "delivery", scope, input).catch(unlessRefused);
    },
    onSequenced: (callback) =>
      sequencer.onSequenced(({ scope, eventSequence }) => callback(scope as Scope, eventSequence)),
    onDue: (callback) => webhooks.onDue(callback),
    report,
    ...(parts.pollMs !== undefined && { pollMs: parts.pollMs }),
    ...(parts.random && { random: parts.random }),
  });
  return {
    start: () => machine.start(),
    async stop() {
      await machine.stop();
      await Promise.all([...ways.values()].map((way) => way.close()));
      await pool.end();
    },
  };
}

/** Counts attempts by what came of them: the class of the status (`2xx`), or the code of what kept an answer from coming. */
function createMeasure(meter: Meter) {
  const attempts = meter.histogram({
    ...{ name: "aos_webhook_attempt_seconds", labels: ["outcome", "environment"], buckets: longBuckets },
    help: "Attempts to deliver events to endpoints.",
  });
  return async (environment: Environment, attempt: () => Promise<WebhookAnswer>): Promise<WebhookAnswer> => {
    const began = performance.now();
    const answer = await attempt();
    const outcome = answer.code ?? (answer.status === null ? "none" : `${Math.floor(answer.status / 100)}xx`);
    attempts.observe([outcome, environment], (performance.now() - began) / 1000);
    return answer;
  };
}

/** Somebody changed the endpoint in this moment, or another attempt was faster: then it is right as it is. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/** One request to an endpoint. No redirect is followed: a POST has none that is. */
async function send(way: Outbound, { url, headers, body, timeoutMs, signal }: WebhookRequest): Promise<WebhookAnswer> {
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
    const answer = await way.send(request);
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
