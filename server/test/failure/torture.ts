import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../../../scripts/simulate/random.ts";
import type { Installation as Programs } from "../../src/db/embedded/binaries.ts";
import { temporaryRoot } from "../../src/testing/temporary.ts";
import { addPeople, type Person } from "../arrange.ts";
import { checkDoubles, checkEvents, checkHookCalls, checkLog, checkObjects, checkReplays } from "./torture-checks.ts";
import { data } from "./torture-data.ts";
import { type Finding, reportLines } from "./torture-findings.ts";
import { Installation } from "./torture-installation.ts";
import { attempt, Caller, Ledger, NotAcknowledged } from "./torture-ledger.ts";
import { startOutside } from "./torture-outside.ts";
import { type Blow, makePlan, type PlanOptions } from "./torture-plan.ts";
import { idleJobs, underWay } from "./torture-stuck.ts";
import { AlarmWatch, readLogs } from "./torture-watch.ts";
import { work } from "./torture-work.ts";
import { pick, prepare, type Scenario, type World } from "./torture-world.ts";

export interface TortureOptions extends Omit<PlanOptions, "processes"> {
  /** Clients that work at the same time. */
  readonly clients: number;
  /** Each client rests so long between two pieces of work (milliseconds, on average). */
  readonly restMs: number;
  /** After so long without load nothing may be under way (milliseconds). */
  readonly quietMs: number;
  /** Undefined: the PostgreSQL that comes with the service. */
  readonly programs: Programs | undefined;
  /** Keeps the data folder and the processes' output. */
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

/**
 * An installation of two API processes and two workers under a mixed load over all groups, while processes are killed, PostgreSQL stands still and backends are
 * terminated, all by a plan that its seed repeats. Answers what was lost, doubled, stuck, or falsely alarmed of; nothing, if all is well.
 */
export async function torture(options: TortureOptions): Promise<Finding[]> {
  const began = performance.now();
  const say = (line: string): void =>
    options.say(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  const folder = await mkdtemp(path.join(temporaryRoot(), "aos-torture-"));
  await writeFile(path.join(folder, "handbook.md"), "# Looms\n\nClean a loom once a week.\n");
  await writeFile(path.join(folder, "prices.csv"), "item,price\nloom,400\nbrush,7\n");
  const outside = await startOutside();
  say("PostgreSQL and four processes start");
  // Starters are scanned for minutes of one core: the machine is to work at the load.
  const env = { AOS_KNOWLEDGE_FOLDERS: folder, AOS_STARTERS: "off" };
  const installation = await Installation.start({ programs: options.programs, say, env });
  let findings: Finding[] = [];
  try {
    findings = await run(installation, { ...options, say }, { outside, folder });
    return findings;
  } finally {
    const keep = options.keep && findings.length > 0;
    if (keep) say(`logs and database in ${await installation.keepLogs()}`);
    await installation.stop(keep);
    await outside.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  installation: Installation,
  options: TortureOptions,
  { outside, folder }: Pick<World, "outside" | "folder">,
): Promise<Finding[]> {
  const { say, seed } = options;
  const { pool } = installation;
  const secret = await installation.adminKey();
  const [second] = (await addPeople(pool, 1, "admin")) as [Person];
  const ledger = new Ledger();
  const { uniform } = createRandom(seed, "torture load");
  const pickApi = (): string | undefined => {
    const urls = installation.apis();
    return urls[Math.floor(uniform() * urls.length)];
  };
  const callerOf = (key: string): Caller => new Caller({ ledger, pick: pickApi, secret: key, uniform });
  let marks = 0;
  const world: World = {
    caller: callerOf(secret),
    second: callerOf(second.secret),
    outside,
    folder,
    uniform,
    mark: () => `torture-${++marks}`,
    known: { tasks: [], bases: [], conversations: [] },
    hookSecret: "",
    minutely: [],
  };
  await prepare(installation.apis()[0] as string, secret, world);
  const now = async (): Promise<Date> => (await pool.query<{ now: Date }>("select now()")).rows[0]?.now as Date;
  const since = await now();
  const watch = new AlarmWatch(installation);
  watch.start();

  const failures = await underLoad(installation, options, world);
  say(`${ledger.entries.length} changes and ${ledger.reads.length} reads were sent; all processes come up`);
  await installation.untilUp(120_000);
  await stopSchedules(installation, secret, world);

  const left = await untilQuiet(installation, options);
  const quietAt = await now();
  const found: Finding[] = [...failures, ...left];
  const urls = installation.apis();
  const check = async (what: string, look: () => Promise<Finding[]>): Promise<void> => {
    const own = await look().catch((error: Error): Finding[] => [
      { group: "processes", kind: "fault", what: `${what} could not be looked at: ${error.stack}` },
    ]);
    say(`${what}: ${own.length === 0 ? "well" : `${own.length} findings`}`);
    found.push(...own);
  };
  await check("acknowledged objects", () => checkObjects(ledger, urls, secret));
  await check("calls of the hook", () => checkHookCalls(pool, ledger));
  await check("events delivered", () => checkEvents(pool, outside, since, quietAt));
  await check("calls sent again", () => checkReplays(ledger, urls));
  await check("nothing twice", () => checkDoubles(pool, outside));
  await check("the audit log", () => checkLog(pool, ledger, installation.dataDir));
  const states = await watch.look();
  await check("alarms", () => watch.stop());
  for (const { name, ready, said } of states) {
    if (!ready || said !== "") {
      found.push({
        group: "processes",
        kind: "alarm",
        what: `${name} is ${ready ? "ready" : "not ready"} at the end: ${said}`,
      });
    }
  }
  const logs = readLogs(installation);
  found.push(...logs.findings, ...ledger.faults.map((what): Finding => ({ group: "processes", kind: "fault", what })));
  for (const line of reportLines(ledger, found)) say(line);
  options.say("");
  for (const [message, n] of logs.errors) options.say(`logged ${n} ×: ${message}`);
  return found;
}

/** Runs the load and deals the blows of the plan; settles when both are over. */
async function underLoad(installation: Installation, options: TortureOptions, world: World): Promise<Finding[]> {
  const { seed, loadMs, clients, restMs, say } = options;
  const plan = makePlan({ ...options, processes: installation.size });
  const scenarios = [...work, ...data].flatMap(([scenario, weight]) => Array<Scenario>(weight).fill(scenario));
  say(`${clients} clients work for ${loadMs / 1000} s; seed ${seed}, ${plan.length} blows`);
  const began = performance.now();
  const failures: Finding[] = [];
  const client = async (): Promise<void> => {
    while (performance.now() - began < loadMs) {
      await pick(
        world,
        scenarios,
      )(world).catch((error: Error) => {
        if (error instanceof NotAcknowledged) return;
        failures.push({ group: "processes", kind: "fault", what: `the load itself failed: ${error.stack}` });
      });
      await delay(2 * restMs * world.uniform());
    }
  };
  const deal = async (blow: Blow): Promise<void> => {
    await delay(Math.max(0, blow.at - (performance.now() - began)));
    await dealBlow(installation, blow, say);
  };
  await Promise.all([...plan.map(deal), ...Array.from({ length: clients }, client)]);
  return failures;
}

async function dealBlow(installation: Installation, blow: Blow, say: (line: string) => void): Promise<void> {
  if (blow.kind === "kill") {
    // One that is down already cannot be killed: then the next one.
    for (let n = 0; n < 200; n++) {
      const name = await installation.kill(blow.process + n, blow.restartAfterMs);
      if (name !== undefined) return say(`killed ${name}`);
      if (n % installation.size === installation.size - 1) await delay(500);
    }
    return say("nothing was left to kill");
  }
  if (blow.kind === "pause") {
    say(`PostgreSQL stands still for ${blow.forMs / 1000} s`);
    await installation.pauseDatabase(blow.forMs);
    return say("PostgreSQL goes on");
  }
  const ended = await installation.terminateBackends(blow.backends).catch(() => 0);
  say(`terminated ${ended} backends`);
}

/** What fires every minute ends with the load. */
async function stopSchedules(installation: Installation, secret: string, { minutely }: World): Promise<void> {
  const url = installation.apis()[0] as string;
  for (const at of minutely) await attempt(url, secret, "DELETE", at, {}, {}, 30_000);
}

/** Waits until nothing is under way; answers what still is when time is up. */
async function untilQuiet(installation: Installation, { quietMs, say }: TortureOptions): Promise<Finding[]> {
  const began = performance.now();
  let left = await underWay(installation.pool);
  say(`quiet: ${left.length} pieces of work under way`);
  while (left.length > 0 && performance.now() - began < quietMs) {
    await delay(1_000);
    left = await underWay(installation.pool);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  say(
    left.length === 0 ? `all work ended within ${seconds} s` : `${left.length} are still under way after ${seconds} s`,
  );
  for (const line of await idleJobs(installation.pool)) say(`wake-ups that nobody takes: ${line}`);
  return left;
}
