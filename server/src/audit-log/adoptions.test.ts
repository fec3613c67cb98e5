import { readCheckpointUnverified } from "@aos/proof";
import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { useDatabase } from "../testing/database.ts";
import { adoptLog } from "./adopt.ts";
import { guardHead } from "./head-guard.ts";
import type { Pins } from "./pins.ts";
import { readCheckpoint } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { createSequencer, type Sequencer } from "./sequencer.ts";
import { appendRecords, newId, sampleRecord, silent, testMac, testPins, testSigner } from "./testing.ts";

const database = useDatabase({ max: 20 });
const running: Sequencer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sequencer) => sequencer.stop()));
});

const firstKey = testSigner();
let scopes = 0;
const freshScope = (): LogScope => ({ organization: "default", environment: `hosts${++scopes}` });

/** A host: a process with a folder of its own. */
function host(pins: Pins, signer = firstKey) {
  const stops: string[] = [];
  const trust = { installation: "aos.test", signer, mac: testMac, pins, warn: () => undefined };
  const begin = (): Sequencer => {
    const sequencer = createSequencer({
      ...trust,
      pool: database.pool,
      clock: systemClock,
      log: silent,
      pollMs: 50,
      recheckMs: 50,
    });
    sequencer.onStopped(({ reason }) => stops.push(reason));
    sequencer.start();
    running.push(sequencer);
    return sequencer;
  };
  return { pins, signer, trust, stops, begin };
}
type Host = ReturnType<typeof host>;

const pinnedOrigin = async ({ pins }: Host, scope: LogScope) => {
  const saved = (await pins.read(scope))?.saved;
  return saved && readCheckpointUnverified(saved.checkpoint).origin;
};

/** One record, waited for until it is in the log. */
async function sequence(scope: LogScope): Promise<void> {
  const [id] = await appendRecords(database.pool, [sampleRecord(scope)]);
  const placed = () => database.pool.query("select from audit_leaves where record_id = $1", [id]);
  await vi.waitFor(async () => expect((await placed()).rowCount).toBe(1), 10_000);
}

/** Stops the log by a row that nobody of us wrote, and adopts it on a host. Returns the origins that were closed and opened. */
async function adopt(
  scope: LogScope,
  { trust, signer, pins }: Host,
  isLed = true,
): Promise<{ closes: string; opened: string }> {
  const forged = newId("aud");
  await database.pool.query(
    "insert into audit_records (organization, environment, id, n, body) values ($1, $2, $3, 0, '{}')",
    [...[scope.organization, scope.environment, forged]],
  );
  const stopped = () => database.pool.query("select from audit_stops where environment = $1", [scope.environment]);
  if (isLed) await vi.waitFor(async () => expect((await stopped()).rowCount).toBe(1), 10_000);
  const client = await database.pool.connect();
  await client.query("begin");
  const opening = sampleRecord(scope);
  await appendRecords(client, [opening]);
  const adoption = await adoptLog(client, scope, trust, { signer, id: opening.id, now: new Date() });
  await client.query("commit");
  client.release();
  if (!adoption) throw new Error("the log was not stopped");
  await pins.dropPending(scope);
  await pins.save(scope, adoption.pin);
  const { rows } = await database.pool.query("select closes, origin as opened from audit_logs where environment = $1", [
    scope.environment,
  ]);
  return rows[0];
}

it("follows adoptions on another host as it hears of them, takes the log over, and closes its newest origin", async () => {
  const scope = freshScope();
  const [one, two] = [host(await testPins()), host(await testPins())];
  const leader = one.begin();
  await sequence(scope);
  two.begin();
  await vi.waitFor(async () => {
    await sequence(scope);
    expect(await pinnedOrigin(two, scope)).toMatch(/^aos.test.default/);
  }, 10_000);
  for (const epoch of [2, 3]) {
    const { opened } = await adopt(scope, one);
    await sequence(scope);
    expect(opened).toMatch(`aos.test/${epoch}/`);
    await vi.waitFor(async () => expect(await pinnedOrigin(two, scope)).toBe(opened), 10_000);
  }
  await leader.stop();
  await sequence(scope);
  expect(two.stops.filter((reason) => reason !== "record_forged")).toEqual([]);
  expect(await adopt(scope, two)).toEqual({
    closes: expect.stringMatching("aos.test/3/"),
    opened: expect.stringMatching("aos.test/4/"),
  });
});

it("goes on with a log that was adopted twice while it was away, the second time under another key", async () => {
  const scope = freshScope();
  const pins = await testPins();
  const one = host(await testPins());
  const leader = one.begin();
  await sequence(scope);
  const saved = (await one.pins.read(scope))?.saved;
  if (!saved) throw new Error("nothing is pinned");
  await pins.save(scope, saved);
  await adopt(scope, one);
  await sequence(scope);
  await leader.stop();
  const rekeyed = host(one.pins, testSigner());
  await adopt(scope, rekeyed, false);

  const away = host(pins, rekeyed.signer);
  const begun = away.begin();
  await sequence(scope);
  expect(away.stops).toEqual([]);
  await begun.stop();
  const read = () => readCheckpoint(database.pool, scope);
  const guarded = await guardHead(
    { pool: database.pool, pins, mac: testMac, publicKey: rekeyed.signer.publicKey },
    scope,
    read,
  );
  expect(readCheckpointUnverified(guarded.checkpoint).origin).toMatch("aos.test/3/");
});

it("does not follow an origin where the row of one closed before it was changed", async () => {
  const scope = freshScope();
  const one = host(await testPins());
  one.begin();
  await sequence(scope);
  const pins = await testPins();
  const saved = (await one.pins.read(scope))?.saved;
  if (!saved) throw new Error("nothing is pinned");
  await adopt(scope, one);
  const { rows } = await database.pool.query("select origin from audit_closed_logs where environment = $1", [
    scope.environment,
  ]);
  await sequence(scope);
  await adopt(scope, one);
  await sequence(scope);
  await Promise.all(running.splice(0).map((sequencer) => sequencer.stop()));

  await pins.save(scope, saved);
  await database.pool.query("alter table audit_closed_logs disable trigger user");
  await database.pool.query("update audit_closed_logs set checkpoint = checkpoint || ' ' where environment = $1", [
    scope.environment,
  ]);
  const other = host(pins);
  other.begin();
  await vi.waitFor(() => expect(other.stops).toEqual(["other_origin"]), 10_000);
  expect(await pinnedOrigin(other, scope)).toBe(rows[0]?.origin);
});
