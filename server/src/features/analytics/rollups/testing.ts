import type { SessionPool } from "../../../db/session.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { noMeter } from "../../../kernel/metrics.ts";
import { Roller } from "./roller.ts";

/** Brings the rollups of a database up to date: for tests on an app that only serves the interface, `await rollUp(app.pool)`. */
export async function rollUp(pool: SessionPool, now?: number): Promise<void> {
  const clock = now === undefined ? systemClock : { now: () => now };
  const roller = new Roller({ pool, clock, meter: noMeter, report: (error) => Promise.reject(error) });
  if (!(await roller.drain())) throw new Error("another process rolls up");
}
