import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Figure, Result } from "../figure.ts";
import { median } from "../pairs.ts";
import type { Service } from "../service.ts";
import { type ProcessorTime, processorTime } from "./tasks-processor.ts";
import { type Call, clientOf, deployAgent } from "./tasks-service.ts";
import { wave } from "./tasks-throughput.ts";

const agent = "bench-rollups";
const tables = ["tasks", "steps", "approvals", "violations", "deliveries", "trust_judgements"];

/** What keeping rollups costs a task, and how fast they catch up. */
export const rollups: Figure = {
  name: "rollups",
  title: "processor time that rollups add to a trivial task, service and database together",
  run: (bench) =>
    bench.withService(async (service) => {
      const { call, close } = clientOf(service);
      try {
        await deployAgent(call, agent, { provider: "builtin" });
        return [await costOf(bench, service, call), await catchingUp(bench, service)];
      } finally {
        close();
      }
    }),
};

async function costOf(bench: Bench, service: Service, call: Call): Promise<Result> {
  const tasks = bench.quick ? 200 : 1_000;
  bench.say(
    `  ${tasks} trivial tasks a run (as in tasks-throughput), ${bench.pairs} pairs of runs after one to warm up: without the triggers that note changes, and with them and ` +
      "until everything is rolled up; median of the ratios",
  );
  await run(service, call, tasks);
  const ratios: number[] = [];
  for (let pair = 0; pair < bench.pairs; pair++) {
    await setTriggers(service, "disable");
    const without = await run(service, call, tasks);
    await setTriggers(service, "enable");
    const within = await run(service, call, tasks);
    ratios.push(within / without);
    bench.say(
      `  without ${without.toFixed(3)} ms a task, with ${within.toFixed(3)} ms: ${percent(within / without - 1)}`,
    );
  }
  const added = median(ratios) - 1;
  bench.say(`  rollups add ${percent(added)} (bar 5 %)`);
  return { what: "processor time a task, times", value: 1 + added, unit: "×", bar: 1.05, aim: null, better: "lower" };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Milliseconds of processor time that a task takes until it has ended and is rolled up. */
async function run(service: Service, call: Call, tasks: number): Promise<number> {
  const before = await processorTime(service);
  await wave(service, call, agent, tasks);
  await untilRolledUp(service);
  const after = await processorTime(service);
  if (!before || !after) throw new Error("this system does not tell processor time");
  const total = ({ service: own, database }: ProcessorTime): number => own + database;
  return (1_000 * (total(after) - total(before))) / tasks;
}

async function untilRolledUp({ pool }: Service): Promise<void> {
  for (;;) {
    const { rows } = await pool.query("select exists (select from analytics_pending) as waits");
    if (!rows[0].waits) return;
    await delay(50);
  }
}

async function setTriggers({ pool }: Service, way: "enable" | "disable"): Promise<void> {
  for (const table of tables) {
    const { rows } = await pool.query(
      "select tgname from pg_trigger where tgrelid = $1::regclass and tgname like 'analytics%' order by 1",
      [table],
    );
    for (const { tgname } of rows) await pool.query(`alter table ${table} ${way} trigger ${tgname}`);
  }
}

/** Tasks a second that are counted where all that there are wait at once. */
async function catchingUp(bench: Bench, service: Service): Promise<Result> {
  const { pool } = service;
  await pool.query("delete from analytics_facts; delete from analytics_blocks; delete from analytics_unmerged");
  await pool.query(
    "insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'task', id from tasks",
  );
  const { rows } = await pool.query("select count(*)::int as n from tasks");
  const began = performance.now();
  await untilRolledUp(service);
  const rate = rows[0].n / ((performance.now() - began) / 1_000);
  bench.say(`  ${rows[0].n} tasks that wait at once are counted at ${rate.toFixed(0)} a second`);
  return { what: "catching up", value: rate, unit: "/s", bar: 2_000, aim: null, better: "higher" };
}
