import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import type { Pins } from "./pins.ts";
import { readCheckpoint, readProof } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { createSequencer, type Sequencer } from "./sequencer.ts";
import { appendRecords, sampleRecord, silent, testMac, testPins, testSigner, untilSize } from "./testing.ts";

const database = useDatabase({ max: 20 });
const signer = testSigner();
const running: Sequencer[] = [];
let scopes = 0;

const freshScope = (): LogScope => ({ organization: "default", environment: `crash${++scopes}` });

function start(pins: Pins, stops: string[] = []): Sequencer {
  const sequencer = createSequencer({
    pool: database.pool,
    installation: "aos.test",
    signer,
    mac: testMac,
    pins,
    clock: systemClock,
    log: silent,
    pollMs: 50,
  });
  sequencer.onStopped(({ reason }) => stops.push(reason));
  sequencer.start();
  running.push(sequencer);
  return sequencer;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((sequencer) => sequencer.stop()));
});

/** Pins of a process that dies at its second head: from then on nothing of it is done any more. */
function dying(
  pins: Pins,
  at: "before pending" | "after pending" | "after the commit",
): Pins & { readonly dead: Promise<void>; bury(): void } {
  const died = Promise.withResolvers<void>();
  const grave = Promise.withResolvers<never>();
  let heads = 0;
  const die = (): Promise<never> => {
    died.resolve();
    return grave.promise;
  };
  return {
    ...pins,
    dead: died.promise,
    bury: () => grave.reject(new Error("the process is dead")),
    async savePending(scope, head) {
      heads++;
      if (heads > 1 && at === "before pending") await die();
      await pins.savePending(scope, head);
      if (heads > 1 && at === "after pending") await die();
    },
    async confirmPending(scope) {
      if (heads > 1 && at === "after the commit") await die();
      await pins.confirmPending(scope);
    },
  };
}

describe("a process that dies while it writes a head", () => {
  it.each(["before pending", "after pending", "after the commit"] as const)(
    "leaves a log that another one goes on with: %s",
    async (at) => {
      const scope = freshScope();
      const pins = await testPins();
      const mortal = dying(pins, at);
      const first = start(mortal);
      await appendRecords(database.pool, [sampleRecord(scope)]);
      first.wake(scope);
      await untilSize(database.pool, first, scope, 1);
      const [second] = (await appendRecords(database.pool, [sampleRecord(scope)])) as [string];
      first.wake(scope);
      await mortal.dead;
      await database.pool.query(
        "select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())",
      );

      const stops: string[] = [];
      const heir = start(pins, stops);
      await appendRecords(database.pool, [sampleRecord(scope)]);
      await untilSize(database.pool, heir, scope, 3);
      expect((await readProof(database.pool, scope, second)).leafIndex).toBe(1);
      expect(stops).toEqual([]);
      expect((await pins.read(scope))?.saved.checkpoint).toBe((await readCheckpoint(database.pool, scope)).checkpoint);
      mortal.bury();
    },
  );
});
