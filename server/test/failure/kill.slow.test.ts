import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runningEmbedded } from "../../src/db/embedded/running.ts";
import { createPool } from "../../src/db/pool.ts";
import { type Client, clientOf } from "../client.ts";
import { dataFolder, killAtOnce, type ServiceProcess, startService, until } from "../processes.ts";
import { checkApprovals, checkDispatches, checkExecutions, checkLog } from "./kill-checks.ts";
import { Ledger, load } from "./kill-ledger.ts";

/** `npm run torture` asks for more. */
const rounds = Number(process.env.AOS_KILL_ROUNDS ?? "1");
const quiet = { info: () => undefined, warn: () => undefined };

describe("a service that is killed under load with everything that belongs to it", () => {
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  let services: ServiceProcess[] = [];
  let pool: pg.Pool | undefined;
  const ledger = new Ledger();
  const kept = (): string => path.join(folder.dataDir, "kept-checkpoint.txt");

  /** The service with its embedded PostgreSQL, and beside it one more API and one more worker on the same database. Answers how long the first took. */
  async function startAll(): Promise<number> {
    const { dataDir } = folder;
    const began = performance.now();
    services = [await startService({ dataDir, role: "all" })];
    const took = performance.now() - began;
    const databaseUrl = await runningEmbedded(dataDir);
    if (databaseUrl === undefined) throw new Error("the embedded database does not answer");
    services.push(
      ...(await Promise.all((["api", "worker"] as const).map((role) => startService({ databaseUrl, dataDir, role })))),
    );
    // The checks join whole tables of which the planner knows nothing yet.
    const settings = encodeURIComponent("-c timezone=UTC -c enable_nestloop=off");
    pool = createPool({
      connectionString: `${databaseUrl}&options=${settings}`,
      applicationName: "aos-test",
      log: quiet,
      max: 4,
    });
    return took;
  }
  const clients = async (): Promise<[Client, Client]> => {
    const key = (await readFile(path.join(folder.dataDir, "admin.key"), "utf8")).trim();
    const [first, second] = services.map(({ url }) => clientOf(url, key));
    return [first as Client, second as Client];
  };
  const database = (): pg.Pool => pool as pg.Pool;

  beforeAll(async () => {
    folder = await dataFolder();
    await startAll();
  }, 120_000);
  afterAll(async () => {
    await pool?.end();
    await Promise.all(services.toReversed().map((service) => service.stop()));
    await folder?.remove();
  }, 60_000);

  it.each(Array.from({ length: rounds }, (_, i) => i + 1))(
    "has lost and doubled nothing that it acknowledged, and its log verifies: round %i",
    async (round) => {
      const first = ledger.sent.length;
      const enough = ledger.acknowledged.length + 100 + Math.floor(Math.random() * 400);
      const loaded = load(ledger, await clients());
      await until(
        "enough is acknowledged",
        () => ledger.acknowledged.length >= enough,
        120_000,
        () => ledger.acknowledged.length,
      );
      await pool?.end();
      const running = round % 2 === 0 ? services : services.toReversed(); // the database's owner first, or last
      await killAtOnce(running.map(({ pid }) => pid));
      await Promise.all([loaded, ...services.map(({ ended }) => ended)]);
      if (ledger.checkpoint !== null) await writeFile(kept(), ledger.checkpoint);
      expect(ledger.faults).toEqual([]);
      const acknowledged = ledger.acknowledged.length;

      const ready = await startAll();
      const [call] = await clients();
      await checkApprovals(database(), ledger);
      await checkDispatches(database(), ledger, call, ledger.sent.slice(first));
      const leaves = await checkLog(database(), ledger, folder.dataDir, kept());
      const unanswered = ledger.sent.length - acknowledged;
      console.log(
        `round ${round}: ${acknowledged} acknowledged, ${unanswered} not, ${ledger.approved.size} approved; up again in ${ready.toFixed(0)} ms; ${leaves} records verified`,
      );
    },
    240_000,
  );

  it("has carried out everything that was approved, and nothing twice", async () => {
    // Leases of workers that are no more lapse after 30 s; here they lapse at once.
    await database().query(
      "update tasks set lease_until = now() where status = 'running' and split_part(lease_owner, '-', 1) <> all($1::text[])",
      [services.map(({ pid }) => String(pid))],
    );
    let left: unknown;
    const idle = async (): Promise<boolean> => {
      const { rows } = await database().query(
        "select status, count(*)::int as n from tasks where status in ('queued', 'running') group by 1",
      );
      left = rows;
      return rows.length === 0;
    };
    const said = (): unknown => [left, ...services.map(({ output }) => output().slice(-1_000))];
    await until("no task waits for a worker", idle, 120_000, said);
    expect(ledger.approved.size).toBeGreaterThan(0);
    expect(await checkExecutions(database(), ledger)).toBeGreaterThan(0);
    await checkApprovals(database(), ledger);
    await checkLog(database(), ledger, folder.dataDir, kept());
  }, 240_000);
});
