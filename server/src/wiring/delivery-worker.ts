import type { Logger } from "pino";
import type { Sequencer } from "../audit-log/index.ts";
import type { OpenDatabase } from "../db/open.ts";
import { createPool } from "../db/pool.ts";
import { createDelivery, type Hopeless } from "../delivery/index.ts";
import { disabledAfter } from "../delivery/schedule.ts";
import { createSender, type SenderParts } from "../delivery/send.ts";
import { type DisableWebhook, disableWebhook, lookAtOwners, type WebhookPort } from "../features/webhooks/index.ts";
import { listWorkerGaps, lostMs } from "../jobs/pools.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { Refusal } from "../kernel/errors.ts";
import type { NewId } from "../kernel/ids.ts";
import type { Statements } from "../kernel/machines.ts";
import { type Meter, noMeter } from "../kernel/metrics.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Inside } from "../pipeline/inside.ts";

export interface DeliveryWorkerParts extends Omit<SenderParts, "meter"> {
  readonly database: OpenDatabase;
  readonly sequencer: Pick<Sequencer, "onSequenced">;
  readonly webhooks: WebhookPort;
  readonly inside: Inside;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly report: (error: unknown) => void;
  readonly pollMs?: number;
  readonly random?: () => number;
  /** Default: nobody reads the figures. */
  readonly telemetry?: { readonly meter: Meter };
}

export interface DeliveryWorker {
  start(): void;
  stop(): Promise<void>;
}

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
  const query = async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows;
  const statements = { query } as Statements;
  const sender = createSender({ outboundAllow, servesProduction, resolve, meter: parts.telemetry?.meter ?? noMeter });
  const machine = createDelivery({
    pool,
    clock,
    newId,
    credentialKey: webhooks.credentialKey,
    send: sender.send,
    disable: async (scope, webhook, why) => {
      if (why.reason === "failing" && !(await failedSo(statements, why.since, clock.now()))) return;
      return inside(disableWebhook, "delivery", scope, inputOf(webhook, why)).catch(unlessRefused);
    },
    lookAtOwners: (scope) => lookAtOwners(statements, scope, clock.now()),
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
      await sender.close();
      await pool.end();
    },
  };
}

/** Whether an endpoint failed for as long as disables it. Time without a worker, in which nobody tried, does not count. */
async function failedSo(db: Statements, since: number, now: number): Promise<boolean> {
  return now - since - lostMs(await listWorkerGaps(db, new Date(since)), since, now) >= disabledAfter;
}

function inputOf(webhook: string, why: Hopeless): DisableWebhook {
  if (why.reason === "stopped") return { webhook, reason: why.reason };
  if (why.reason === "gone") return { webhook, reason: why.reason, url: why.url, asked_at: timestamp(why.askedAt) };
  return { webhook, reason: why.reason, failing_since: timestamp(why.since) };
}

/** Somebody changed the endpoint in this moment, or another attempt was faster: then it is right as it is. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
