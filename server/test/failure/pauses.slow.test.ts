import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { createWriterAlarm } from "../../src/audit-log/alarm.ts";
import { createSequencer, type Sequencer } from "../../src/audit-log/sequencer.ts";
import { appendRecords, sampleRecord, testMac, testPins, testSigner } from "../../src/audit-log/testing.ts";
import { existingHomes } from "../../src/db/embedded/folders.ts";
import { type OpenDatabase, openDatabase } from "../../src/db/open.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { dataFolder, type ServiceProcess, signalAtOnce, startService, until } from "../processes.ts";

// A service whose database or processor is taken away for a while acknowledges late, sequences late and looks late. None of that loses a record.

const rounds = Number(process.env.AOS_PAUSE_ROUNDS ?? "42");
const scope = { organization: "default", environment: "development" };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
}, 60_000);

async function newFolder(): Promise<string> {
  const { dataDir, remove } = await dataFolder();
  closing.push(remove);
  return dataDir;
}

/** Stops every process of a folder's embedded PostgreSQL for a while (SIGSTOP). */
async function pauseDatabase(dataDir: string, ms: number): Promise<void> {
  const [home = ""] = (await existingHomes(dataDir)).values();
  const postmaster = Number.parseInt(await readFile(path.join(home, "data", "postmaster.pid"), "utf8"), 10);
  await signalAtOnce([postmaster], "SIGSTOP");
  await delay(ms);
  await signalAtOnce([postmaster], "SIGCONT");
}

const records = async (db: Pick<pg.Pool, "query">, ids: readonly string[]): Promise<number> =>
  (await db.query("select from audit_leaves where record_id = any($1)", [ids])).rows.length;

/** Writers, their alarm and a sequencer on one database, with thresholds so short that every pause passes them. */
class Writers {
  readonly acknowledged: string[] = [];
  readonly alarm: ReturnType<typeof createWriterAlarm>;
  readonly #database: OpenDatabase;
  readonly #parts: Omit<Parameters<typeof createSequencer>[0], "pool">;
  #sequencer: Sequencer;
  #writing = true;
  #working: Promise<unknown>;

  static async start(database: OpenDatabase): Promise<Writers> {
    return new Writers(database, await testPins());
  }

  private constructor(database: OpenDatabase, pins: Awaited<ReturnType<typeof testPins>>) {
    this.#database = database;
    this.#parts = {
      installation: "aos.test",
      signer: testSigner(),
      mac: testMac,
      pins,
      clock: systemClock,
      log: silent,
      pollMs: 50,
    };
    this.alarm = createWriterAlarm({
      pool: database.machinePool,
      mac: testMac,
      log: silent,
      count: () => undefined,
      afterMs: 200,
    });
    this.#sequencer = this.#startSequencer();
    this.#working = Promise.all(Array.from({ length: 6 }, () => this.#write()));
  }

  #startSequencer(): Sequencer {
    const sequencer = createSequencer({ ...this.#parts, pool: this.#database.machinePool });
    sequencer.start();
    return sequencer;
  }

  /** A call: what commits is acknowledged, and whatever else becomes of it is not. */
  async #write(): Promise<void> {
    while (this.#writing) {
      const [id] = await appendRecords(this.#database.pool, [sampleRecord(scope)]).catch(() => []);
      if (id !== undefined) this.#acknowledge(id);
      this.#sequencer.wake(scope);
      await delay(id === undefined ? 50 : 5);
    }
  }

  #acknowledge(id: string): void {
    this.acknowledged.push(id);
    this.alarm.acknowledged({ ...scope, id });
  }

  /** A call that commits, or is rolled back, only after so long; until then it hides from the sequencer what others commit. */
  async writeSlowly(ms: number, end: "commit" | "rollback"): Promise<void> {
    const client = await this.#database.pool.connect();
    try {
      await client.query("begin");
      const [id] = (await appendRecords(client, [sampleRecord(scope)])) as [string];
      await delay(ms);
      await client.query(end);
      if (end === "commit") this.#acknowledge(id);
      client.release();
    } catch {
      client.release(true);
    }
  }

  /** Another process takes the log over. */
  async takeOver(): Promise<void> {
    const heir = this.#startSequencer();
    await this.#sequencer.stop();
    this.#sequencer = heir;
  }

  async rest(): Promise<void> {
    this.#writing = false;
    await this.#working;
    await until("the log has caught up", async () => {
      await this.alarm.look();
      return this.alarm.behind().length === 0;
    });
  }

  async stop(): Promise<void> {
    this.#writing = false;
    await this.#working;
    this.alarm.stop();
    await this.#sequencer.stop();
  }
}

function starve(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe("records that are acknowledged, sequenced and looked up late", () => {
  it(
    `are never said to be missing, over ${rounds} pauses, lost connections, takeovers and starvations`,
    async () => {
      const dataDir = await newFolder();
      const database = await openDatabase({ databaseUrl: null, dataDir, applicationName: "aos-test", log: silent });
      closing.push(() => database.close());
      const writers = await Writers.start(database);
      closing.push(() => writers.stop());
      const terminate = () =>
        database.readPool
          .query(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
          )
          .catch(() => undefined);
      const blows: ((size: number) => unknown)[] = [
        (size) => pauseDatabase(dataDir, size),
        (size) => starve(size),
        (size) => writers.writeSlowly(size, "commit"),
        async (size) => {
          const slow = writers.writeSlowly(2 * size, "rollback");
          await pauseDatabase(dataDir, size);
          await terminate();
          await slow;
        },
        () => terminate(),
        () => writers.takeOver(),
        async (size) => {
          const paused = pauseDatabase(dataDir, size);
          starve(size / 2);
          await Promise.all([paused, writers.writeSlowly(size, "commit")]);
        },
      ];
      let late = 0;
      for (let round = 0; round < rounds; round++) {
        await blows[round % blows.length]?.(150 + Math.random() * 450);
        if (writers.alarm.behind().length > 0) late++;
        expect(writers.alarm.missing()).toEqual([]);
        await delay(50);
      }
      await writers.rest();
      expect(writers.alarm.missing()).toEqual([]);
      expect(await records(database.pool, writers.acknowledged)).toBe(writers.acknowledged.length);
      console.log(
        `${rounds} rounds, ${writers.acknowledged.length} acknowledged; the log was behind after ${late} rounds`,
      );
    },
    20 * 60_000,
  );

  it("are never said to be missing by two services over pauses of 20 s", async () => {
    const dataDir = await newFolder();
    const first = await startService({ dataDir, role: "all" });
    closing.push(() => first.stop());
    const { runningEmbedded } = await import("../../src/db/embedded/running.ts");
    const databaseUrl = (await runningEmbedded(dataDir)) as string;
    const second = await startService({ dataDir, databaseUrl, role: "api" });
    closing.push(() => second.stop());
    const services = [first, second];
    const load = new Load(services, (await readFile(path.join(dataDir, "admin.key"), "utf8")).trim());

    await delay(2_000);
    await pauseDatabase(dataDir, 20_000);
    const old = new pg.Client({ connectionString: databaseUrl });
    await old.connect();
    await old.query("begin; select pg_current_xact_id()"); // hides what commits from the sequencer
    await delay(3_000);
    await pauseDatabase(dataDir, 20_000);
    await until("the log says that it is behind", () => load.saw("audit_log_behind"), 30_000);
    await old.query("commit");
    await old.end();
    await signalAtOnce([second.pid], "SIGSTOP"); // its event loop stands still
    await delay(12_000);
    await signalAtOnce([second.pid], "SIGCONT");
    await load.stop();
    const said = () => Promise.all(services.map(({ url }) => readyz(url)));
    await until(
      "both say nothing but that they are ready",
      async () => (await said()).every((text) => text === '{"status":"ready"}'),
      30_000,
    );

    expect(load.saw("audit_records_missing")).toBe(false);
    for (const { output } of services) expect(output()).not.toContain("that this process acknowledged:");
    const check = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    try {
      expect(await records(check, load.acknowledged)).toBe(load.acknowledged.length);
    } finally {
      await check.end();
    }
    expect(load.acknowledged.length).toBeGreaterThan(100);
  }, 300_000);
});

const readyz = (url: string): Promise<string> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => "",
  );

/** Calls of several clients, and what `/readyz` says meanwhile. */
class Load {
  readonly acknowledged: string[] = [];
  readonly #said = new Set<string>();
  #loading = true;
  readonly #working: Promise<unknown>;

  constructor(services: readonly ServiceProcess[], key: string) {
    const clients = services.flatMap(({ url }) => Array.from({ length: 12 }, () => this.#call(url, key)));
    this.#working = Promise.all([...clients, ...services.map(({ url }) => this.#probe(url))]);
  }

  saw(what: string): boolean {
    return [...this.#said].some((text) => text.includes(what));
  }

  async #call(url: string, key: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}` };
    while (this.#loading) {
      const answer = await fetch(`${url}/v1/admin/whoami`, { headers }).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) this.acknowledged.push(answer.headers.get("audit-ref") as string);
      else await delay(100);
    }
  }

  async #probe(url: string): Promise<void> {
    while (this.#loading) {
      this.#said.add(await readyz(url));
      await delay(500);
    }
  }

  async stop(): Promise<void> {
    this.#loading = false;
    await this.#working;
  }
}
