import {
  createTree,
  formatVerifierKey,
  leafHash,
  openCheckpoint,
  openCosignature,
  parseCosignerKey,
  signCheckpoint,
  verifierKey,
} from "@aos/proof";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { createOutbound } from "../outbound/index.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { asDatabaseOwner } from "../testing/owner.ts";
import { eventually } from "../testing/tasks.ts";
import { startTestWitness, type TestWitness } from "../testing/witness.ts";
import type { Pins } from "./pins.ts";
import { readCheckpoint, readProof } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { createSequencer } from "./sequencer.ts";
import { appendRecords, sampleRecord, silent, testMac, testPins, testSigner, untilSize } from "./testing.ts";
import { createWitnessClient, type WitnessClientOptions } from "./witness.ts";

let database: TestDatabase;
let pins: Pins;
const signer = testSigner();
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  database = await testDatabase();
  pins = await testPins();
  closing.push(() => database.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const installation = "aos.test";
const originIn = ({ environment }: LogScope): string => `${installation}/default/${environment}`;
const logKey = (scope: LogScope) => verifierKey(originIn(scope), signer.publicKey);

/** A log of its own with a sequencer, and the means to grow it. */
function logOf(environment: string) {
  const scope = { organization: "default", environment };
  const sequencer = createSequencer({
    pool: database.pool,
    installation,
    signer,
    mac: testMac,
    pins,
    clock: systemClock,
    log: silent,
    pollMs: 50,
  });
  sequencer.start();
  closing.push(() => sequencer.stop());
  let size = 0;
  const grow = async (count: number): Promise<string[]> => {
    const ids = await appendRecords(
      database.pool,
      Array.from({ length: count }, () => sampleRecord(scope)),
    );
    size += count;
    await untilSize(database.pool, sequencer, scope, size);
    return ids;
  };
  return { scope, sequencer, grow };
}

async function witnessFor(scope: LogScope, name?: string): Promise<TestWitness> {
  const witness = await startTestWitness(name);
  closing.push(() => witness.close());
  witness.trust(formatVerifierKey(logKey(scope)));
  return witness;
}

/** A client that asks as often as it may, over the service's own way out. */
async function ask(
  { sequencer }: Pick<ReturnType<typeof logOf>, "sequencer">,
  witnesses: readonly TestWitness[],
  options: Partial<WitnessClientOptions> & { timeoutMs?: number } = {},
) {
  const outbound = createOutbound({ environment: "development" });
  const messages: string[] = [];
  const say = (message: string) => void messages.push(message);
  const client = createWitnessClient({
    pool: database.pool,
    witnesses: witnesses.map(({ vkey, url }) => ({ key: parseCosignerKey(vkey), url })),
    send: (request) =>
      outbound.send({ ...request, method: "POST", timeoutMs: options.timeoutMs ?? 5_000, repeatable: true }),
    sequencer,
    clock: systemClock,
    log: { info: say, warn: say, error: say },
    intervalMs: 1,
    ...options,
  });
  await client.start();
  closing.push(() => outbound.close());
  closing.push(() => client.stop());
  return { client, messages };
}

const checkpointOf = async (scope: LogScope): Promise<string> =>
  (await readCheckpoint(database.pool, scope)).checkpoint;
const cosignedSize = (scope: LogScope, witness: TestWitness, size: number) =>
  eventually(async () => {
    const checkpoint = await checkpointOf(scope);
    await openCosignature(checkpoint, parseCosignerKey(witness.vkey));
    expect((await openCheckpoint(checkpoint, logKey(scope))).size).toBe(size);
    return checkpoint;
  });

describe("a head that witnesses cosigned", () => {
  it("is served with their cosignatures, in checkpoints and in proofs, and still verifies as the log's", async () => {
    const log = logOf("cosigned");
    const witnesses = [await witnessFor(log.scope, "witness.test/a"), await witnessFor(log.scope, "witness.test/b")];
    await ask(log, witnesses);
    for (const [count, size] of [
      [1, 1],
      [6, 7],
      [300, 307],
      [1, 308],
    ] as const) {
      const [id] = await log.grow(count);
      for (const witness of witnesses) await cosignedSize(log.scope, witness, size);
      const { proofText } = await readProof(database.pool, log.scope, id as string);
      expect(proofText.match(/^\u2014 /gm)).toHaveLength(3);
    }
    for (const witness of witnesses) expect(witness.requests.every(({ status }) => status === 200)).toBe(true);
  });

  it("is the newest at each turn: of those that were signed during a request only the last is asked for", async () => {
    const log = logOf("busy");
    const witness = await witnessFor(log.scope);
    await ask(log, [witness]);
    await log.grow(1);
    await cosignedSize(log.scope, witness, 1);
    const answering = Promise.withResolvers<void>();
    witness.hold = answering.promise;
    for (let i = 0; i < 8; i++) await log.grow(10);
    answering.resolve();
    await cosignedSize(log.scope, witness, 81);
    expect(witness.requests.map(({ old, size }) => [old, size])).toEqual([
      [0, 1],
      [1, expect.any(Number)],
      [expect.any(Number), 81],
    ]);
    expect(witness.mostAtOnce).toBe(1);
  });

  it("can be asked for while newer ones are not cosigned yet, with the proof from an older one", async () => {
    const log = logOf("asked");
    const witness = await witnessFor(log.scope);
    await log.grow(3);
    const cosigned = () => readCheckpoint(database.pool, log.scope, { cosigned: true, from: 3 });
    expect((await cosigned()).checkpoint).toBe(await checkpointOf(log.scope));
    const { client } = await ask(log, [witness]);
    await log.grow(4);
    await cosignedSize(log.scope, witness, 7);
    await client.stop();
    await log.grow(2);
    expect(await checkpointOf(log.scope)).not.toContain("witness.test");
    const { treeSize, checkpoint, consistency } = await cosigned();
    expect([treeSize, consistency?.hashes.length]).toEqual([7, 4]); // PROOF(3, D[7]) of RFC 6962, section 2.1.3, has four
    await openCosignature(checkpoint, parseCosignerKey(witness.vkey));
    expect((await openCheckpoint(checkpoint, logKey(log.scope))).size).toBe(7);
  });

  it("is asked for by the process that sequences the log alone", async () => {
    const log = logOf("led");
    const witness = await witnessFor(log.scope);
    const elsewhere = {
      onSequenced: log.sequencer.onSequenced,
      status: () => ({ connected: true, leading: [], leaves: 0 }),
    };
    const idle = await ask({ sequencer: elsewhere as never }, [witness]);
    await ask(log, [witness]);
    await log.grow(2);
    await cosignedSize(log.scope, witness, 2);
    await idle.client.stop();
    expect(witness.requests.map(({ old }) => old)).toEqual([0]);
  });
});

describe("a witness that knows more, or less, than the database", () => {
  it("is asked again once from the size that it names", async () => {
    const log = logOf("behind");
    const witness = await witnessFor(log.scope);
    await ask(log, [witness]);
    await log.grow(5);
    await cosignedSize(log.scope, witness, 5);
    await database.pool.query("delete from audit_witnesses where environment = 'behind'");
    await log.grow(4);
    await cosignedSize(log.scope, witness, 9);
    expect(witness.requests.slice(1).map(({ old, status }) => [old, status])).toEqual([
      [0, 409],
      [5, 200],
    ]);
  });

  it("gets cosignatures of nobody else into a checkpoint", async () => {
    const log = logOf("stranger");
    const [witness, stranger] = [await witnessFor(log.scope), await witnessFor(log.scope, "witness.test/w1")];
    const { messages } = await ask(log, [{ ...witness, url: stranger.url }]);
    await log.grow(1);
    await eventually(() => expect(messages.join()).toContain("without a cosignature that verifies"));
    expect(await checkpointOf(log.scope)).not.toContain("witness.test");
  });
});

describe("a witness that does not cosign", () => {
  it.each([
    ["one that answers 500", { status: 500, body: "broken" }, /answered 500; it said: broken/],
    ["one that does not know the log", { status: 404, body: "" }, /have it registered there by its origin/],
    ["one that does not know the key", { status: 403, body: "" }, /give it the log's verifier key/],
    ["one that names no size", { status: 409, body: "x", type: "text/plain" }, /without the size/],
    ["one that never answers", "hang" as const, /did not cosign/],
  ])("holds nothing up, and is asked again: %s", async (name, fault, message) => {
    const log = logOf(`faulty-${name.replaceAll(" ", "-")}`);
    const witness = await witnessFor(log.scope);
    witness.fault = fault;
    const { messages } = await ask(log, [witness], { timeoutMs: 100 });
    await log.grow(3);
    expect((await openCheckpoint(await checkpointOf(log.scope), logKey(log.scope))).size).toBe(3);
    await eventually(() => expect(messages.join()).toMatch(message));
    witness.fault = null;
    await cosignedSize(log.scope, witness, 3);
    expect(messages.at(-1)).toContain("cosigns again");
  });

  it("does not keep the service from stopping", async () => {
    const log = logOf("stopping");
    const witness = await witnessFor(log.scope);
    witness.fault = "hang";
    const { client } = await ask(log, [witness], { timeoutMs: 60_000 });
    await log.grow(1);
    await eventually(() => expect(witness.requests).toHaveLength(1));
    const began = performance.now();
    await client.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("a log that was rewritten", () => {
  const conflictOf = async (environment: string) =>
    (
      await database.pool.query(
        "select conflict, conflict_detail, tree_size::int from audit_witnesses where environment = $1",
        [environment],
      )
    ).rows[0];

  /** The log as a restored backup, or a forger with the signing key, leaves it: so many other records than before. */
  const rewrite = async (log: ReturnType<typeof logOf>, count: number): Promise<void> => {
    const tree = createTree({ tiles: true });
    for (let i = 0; i < count; i++) tree.append(leafHash(`forged ${i}`));
    const checkpoint = await signCheckpoint({ origin: originIn(log.scope), size: count, root: tree.root() }, signer);
    await asDatabaseOwner(database.pool, async (owner) => {
      const { environment } = log.scope;
      await owner.query("delete from audit_tiles where environment = $1", [environment]);
      for (const { level, index, data } of tree.takeTiles()) {
        await owner.query("insert into audit_tiles values ('default', $1, $2, $3, $4)", [
          environment,
          level,
          index,
          Buffer.from(data),
        ]);
      }
      await owner.query("update audit_logs set tree_size = $2, root = $3, checkpoint = $4 where environment = $1", [
        environment,
        count,
        Buffer.from(tree.root()),
        checkpoint,
      ]);
    });
  };

  it.each([
    ["rollback", 4, "it cosigned a head of 9 records, and the log now has 4"],
    ["fork", 9, "records that were signed have changed"],
    ["fork", 20, "records that were signed have changed"],
  ] as const)("is refused: a %s to %i records, and told once to whoever stops signing", async (kind, count, detail) => {
    const log = logOf(`rewritten-${count}`);
    const witness = await witnessFor(log.scope);
    const first = await ask(log, [witness]);
    await log.grow(9);
    await cosignedSize(log.scope, witness, 9);
    await first.client.stop();
    await rewrite(log, count);
    const conflicts: unknown[] = [];
    const second = await ask(log, [witness], {
      onConflict: (scope, { key }, conflict) => void conflicts.push([scope, key.name, conflict.kind]),
    });
    await eventually(() => expect(conflicts).toEqual([[log.scope, "witness.test/w1", kind]]));
    expect(second.messages.join()).toContain(detail);
    expect(await conflictOf(log.scope.environment)).toMatchObject({
      conflict: kind,
      conflict_detail: expect.stringContaining(detail),
      tree_size: 9,
    });
    expect(second.client.standings()).toMatchObject([{ scope: log.scope, conflict: kind }]);
    expect(witness.sizeOf(originIn(log.scope))).toBe(9);
  });
});
