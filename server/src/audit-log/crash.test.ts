import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { createWriterAlarm } from "./alarm.ts";
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

describe("a writer's alarm", () => {
  const watching = (sequencer: Pick<Sequencer, "onSequenced">, counted: number[] = []) =>
    createWriterAlarm({
      ...{ pool: database.pool, mac: testMac, onSequenced: sequencer.onSequenced, log: silent, afterMs: 20 },
      count: (_environment, missing) => counted.push(missing),
    });

  /** Records that commit, and that an older transaction hides from the sequencer until it ends. */
  async function hidden(scope: LogScope, records: number) {
    const hold = await database.pool.connect();
    await hold.query("begin; select pg_current_xact_id()");
    const ids = await appendRecords(
      database.pool,
      Array.from({ length: records }, () => sampleRecord(scope)),
    );
    const release = async (): Promise<void> => {
      await hold.query("commit");
      hold.release();
    };
    return { ids, release };
  }

  it("is silent about what is sequenced, and names what was deleted before it was", async () => {
    const scope = freshScope();
    const sequencer = start(await testPins());
    const { ids, release } = await hidden(scope, 3);
    await asDatabaseOwner(database.pool, (owner) => owner.query("delete from audit_records where id = $1", [ids[1]]));
    await release();
    sequencer.wake(scope);
    await untilSize(database.pool, sequencer, scope, 2);
    const alarm = watching(sequencer);
    for (const id of ids) alarm.acknowledged({ ...scope, id });
    await vi.waitFor(async () => {
      await alarm.look();
      expect(alarm.missing()).toEqual([{ scope, records: 1, first: ids[1] }]);
    });
    alarm.stop();
  });

  it.each([
    ["deleted", "delete from audit_records where id = $1"],
    ["set back behind the log", "update audit_records set xid = '1' where id = $1"],
  ])(
    "is raised for a record that was %s, although a row of audit_leaves says that it is in the log",
    async (_how, attack) => {
      const scope = freshScope();
      const sequencer = start(await testPins());
      const [first] = (await appendRecords(database.pool, [sampleRecord(scope)])) as [string];
      await untilSize(database.pool, sequencer, scope, 1);
      const { ids, release } = await hidden(scope, 3);
      const columns = "key_id, key_seq, principal, operation, object, task_id, approval_id, decision, stage, status";
      await asDatabaseOwner(database.pool, (owner) => owner.query(attack, [ids[1]]));
      await release();
      sequencer.wake(scope);
      await untilSize(database.pool, sequencer, scope, 3);
      await database.pool.query(
        `insert into audit_leaves (organization, environment, record_id, leaf_index, ${columns})
       select organization, environment, $2, leaf_index, ${columns} from audit_leaves where record_id = $1`,
        [first, ids[1]],
      );
      const alarm = watching(sequencer);
      for (const id of ids) alarm.acknowledged({ ...scope, id });
      await vi.waitFor(async () => {
        await alarm.look();
        expect(alarm.missing()).toEqual([{ scope, records: 1, first: ids[1] }]);
      });
      alarm.stop();
    },
  );

  it("is raised for a log that does not move", async () => {
    const scope = freshScope();
    const { ids, release } = await hidden(scope, 1);
    const counted: number[] = [];
    const alarm = watching(start(await testPins()), counted);
    alarm.acknowledged({ ...scope, id: ids[0] as string });
    await vi.waitFor(async () => {
      await alarm.look();
      expect(alarm.missing()).toEqual([{ scope, records: 1, first: ids[0] }]);
    });
    expect(counted).toEqual([1]);
    await release();
    alarm.stop();
  });
});
