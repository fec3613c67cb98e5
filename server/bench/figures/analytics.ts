import { setTimeout as delay } from "node:timers/promises";
import { randomOf } from "../../../packages/builtin-model/src/random.ts";
import { createPool } from "../../src/db/pool.ts";
import { createReader } from "../../src/db/reader.ts";
import type { QueryAnswer } from "../../src/features/analytics/queries/schemas.ts";
import { rollup } from "../../src/features/analytics/rollups/rollup.ts";
import type { FactsReader } from "../../src/kernel/facts.ts";
import type { Bench, Figure, Result } from "../figure.ts";
import { databaseUser, type Service } from "../service.ts";
import { type Called, callOperations } from "./analytics-calls.ts";
import { type Drawn, differences, draw } from "./analytics-check.ts";
import { days, drawTasks, fill, type Tasks, textOf } from "./analytics-data.ts";
import { clientOf, deployAgent } from "./tasks-service.ts";

const queries = 100;
/** Calls of each operation. */
const calls = 20;

/** Questions to rollups over many tasks: whether they are right, and how fast they come, with nothing in memory and with what earlier ones left there. */
export const analytics: Figure = {
  name: "analytics",
  title: "figures over 2,000,000 synthetic tasks: right, and how fast they come",
  run: (bench) => bench.withService((service) => measure(bench, service)),
};

async function measure(bench: Bench, service: Service): Promise<Result[]> {
  const count = bench.quick ? 100_000 : 2_000_000;
  const tasks = await arrange(bench, service, count);
  const random = randomOf(7);
  const drawn = Array.from({ length: queries }, () => draw(random, tasks));
  const called = await callOperations(service, tasks, calls);
  const all = called.flatMap(({ times }) => times);
  const slowest = called.toSorted((a, b) => quantile(b.times, 0.95) - quantile(a.times, 0.95))[0] as Called;
  sayTimes(bench, called);
  const cold = await askInside(service, tasks, drawn);
  const first = await askOutside(service, tasks, drawn);
  const warm = await askOutside(service, tasks, drawn);
  const wrong = [...called.flatMap((one) => one.wrong), ...cold.wrong, ...first.wrong, ...warm.wrong];
  for (const line of wrong.slice(0, 20)) bench.say(`  differs: ${line}`);
  const time = (what: string, times: readonly number[], part: number, bar: number | null): Result => ({
    what: `${what}, p${100 * part}`,
    value: quantile(times, part),
    unit: "ms",
    bar,
    aim: null,
    better: "lower",
  });
  return [
    {
      what: "answers that differ from going through all tasks",
      value: wrong.length,
      unit: "",
      bar: 0,
      aim: 0,
      better: "lower",
    },
    time(`${called.length} operations, ${calls} calls each`, all, 0.5, null),
    time(`${called.length} operations, ${calls} calls each`, all, 0.95, 300),
    time(`the slowest of them (${slowest.name})`, slowest.times, 0.95, 300),
    time("a question with nothing in memory, without the interface", cold.times, 0.5, null),
    time("a question with nothing in memory, without the interface", cold.times, 0.95, 300),
    time("POST /v1/analytics/query, each for the first time", first.times, 0.5, null),
    time("POST /v1/analytics/query, each for the first time", first.times, 0.95, 300),
    time("POST /v1/analytics/query, once more", warm.times, 0.5, null),
    time("POST /v1/analytics/query, once more", warm.times, 0.95, 300),
  ];
}

function sayTimes(bench: Bench, called: readonly Called[]): void {
  for (const { name, first, times } of called)
    bench.say(
      `  ${name}: first ${first.toFixed(0)} ms, median ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`,
    );
}

/** Draws the tasks and stores what rollups keep of them. */
async function arrange(bench: Bench, service: Service, count: number): Promise<Tasks> {
  const end = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const tasks = drawTasks(count, end - days * 86_400_000);
  const began = performance.now();
  const client = clientOf(service);
  await deployAgent(client.call, textOf("agent", 0), { provider: "builtin" });
  client.close();
  await empty(service);
  await fill(service.pool, tasks);
  await service.pool.query("vacuum analyze analytics_blocks");
  bench.say(
    `  ${count.toLocaleString("en")} tasks of ${days} days as blocks, by the code that the sweep writes them with, in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  return tasks;
}

/** Takes away what the service has counted of its sample, but not the numbers of values, which it remembers. */
async function empty({ pool }: Service): Promise<void> {
  const waiting = async (): Promise<boolean> =>
    (await pool.query("select from analytics_pending limit 1")).rowCount !== 0;
  while (await waiting()) await delay(200);
  await pool.query("truncate analytics_blocks, analytics_facts, analytics_unmerged");
}

const quantile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(part * (times.length - 1))] as number;

/** Facts of a process that has just started. */
const freshFacts = (): FactsReader => ({
  get: <T>() => ({ of: () => ({ analytics: { labels: [] } }) }) as T,
});

/** Asks the rollups in this process, each time with an empty memory, and holds every answer against all tasks. */
async function askInside(service: Service, tasks: Tasks, drawn: readonly Drawn[]) {
  const pool = createPool({
    connectionString: `postgresql://${databaseUser}@localhost/${databaseUser}?host=${encodeURIComponent(service.socketFolder)}`,
    applicationName: "bench",
    log: { warn: () => undefined, info: () => undefined },
  });
  const scope = { organization: "default", environment: "development" as const };
  const principal = { agents: null } as Parameters<typeof rollup>[0]["principal"];
  const times: number[] = [];
  const wrong: string[] = [];
  try {
    for (const one of drawn) {
      const ctx = { db: createReader(pool), facts: freshFacts(), now: Date.now(), scope, principal };
      const began = performance.now();
      const answer = await rollup(ctx, one.request);
      times.push(performance.now() - began);
      const [difference] = differences(tasks, one, answer);
      if (difference !== undefined) wrong.push(`${JSON.stringify(one.request)}: ${difference}`);
    }
  } finally {
    await pool.end();
  }
  return { times, wrong };
}

function bodyOf({ timeZone, from, to, ...request }: Drawn["request"]): object {
  const moment = (at: number): string => new Date(at).toISOString();
  return { ...request, time_zone: timeZone, from: moment(from), to: moment(to), limit: 10_000 };
}

async function askOutside({ url, key }: Service, tasks: Tasks, drawn: readonly Drawn[]) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const [times, wrong]: [number[], string[]] = [[], []];
  for (const one of drawn) {
    const began = performance.now();
    const answer = await fetch(`${url}/v1/analytics/query`, {
      method: "POST",
      headers,
      body: JSON.stringify(bodyOf(one.request)),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the query answered ${answer.status}: ${text}`);
    times.push(performance.now() - began);
    const { rows, more } = JSON.parse(text) as QueryAnswer;
    const told = rows.map(({ from, key: of, figures }) => ({
      from: Date.parse(from),
      key: of,
      values: figures as never,
    }));
    const [difference] = differences(tasks, one, { rows: told, more });
    if (difference !== undefined) wrong.push(`query ${JSON.stringify(one.request)}: ${difference}`);
  }
  return { times, wrong };
}
