import { tmpdir } from "node:os";
import pino from "pino";
import { afterEach, expect } from "vitest";
import { openDatabase } from "../db/open.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { createWebhookPort } from "../outbound/webhook-port.ts";
import { createDeliveryWorker } from "../wiring/delivery-worker.ts";
import type { TestApp } from "./app.ts";

/** A clock that stands until it is put forward. */
export interface StoppedClock extends Clock {
  forward(ms: number): void;
  /** Puts it to a time that is not before its own. */
  to(ms: number): void;
}

/** A clock that stands at the present time. */
export function stoppedClock(): StoppedClock {
  let now = Date.now();
  return {
    now: () => now,
    forward: (ms) => {
      now += ms;
    },
    to: (ms) => {
      now = Math.max(now, ms);
    },
  };
}

/** A machine that delivers, beside a test's service of role `api`. */
export interface TestDelivery {
  /** Faults that were reported. */
  readonly faults: unknown[];
  stop(): Promise<void>;
}

/** Starts machines that are stopped after each test, its endpoints removed; a fault that one reported fails the test. */
export function useDeliveries(app: TestApp): (options?: Parameters<typeof startDelivery>[1]) => Promise<TestDelivery> {
  const machines: TestDelivery[] = [];
  afterEach(async () => {
    const stopped = machines.splice(0);
    await Promise.all(stopped.map((machine) => machine.stop()));
    await app.pool.query("update webhooks set removed_at = now() where removed_at is null");
    expect(stopped.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return async (options = {}) => {
    const started = await startDelivery(app, options);
    machines.push(started);
    return started;
  };
}

/** Starts one with its own connections; `stop` it before the service. Chance is taken away: waits are as the schedule says. */
export async function startDelivery(
  app: TestApp,
  options: { clock?: Clock; pollMs?: number } = {},
): Promise<TestDelivery> {
  const clock = options.clock ?? systemClock;
  const log = pino({ level: "silent" });
  const faults: unknown[] = [];
  const database = await openDatabase({
    databaseUrl: app.connectionString,
    dataDir: tmpdir(),
    applicationName: "aos-test-delivery",
    log,
  });
  const secrets = { credentialKey: await app.credentialKey(), outboundAllow: [] };
  const worker = createDeliveryWorker({
    ...{
      database,
      sequencer: app.app.sequencer,
      webhooks: createWebhookPort(secrets),
      inside: app.app.inside,
      outboundAllow: [],
      log,
      clock,
    },
    newId: createIds(clock),
    report: (error) => void faults.push(error),
    pollMs: options.pollMs ?? 20,
    random: () => 0.5,
  });
  worker.start();
  return {
    faults,
    async stop() {
      await worker.stop();
      await database.close();
    },
  };
}
