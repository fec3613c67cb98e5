import { setTimeout as delay } from "node:timers/promises";
import type { Step } from "@aos/workflow";
import type { Bench, Figure, Result } from "../figure.ts";
import { pairs } from "../pairs.ts";
import { residentMb } from "../programs.ts";
import type { Service } from "../service.ts";
import { processorTime } from "./tasks-processor.ts";
import { clientOf, deployAgent, quantile, skillName } from "./tasks-service.ts";
import { startDbos } from "./workflows-dbos.ts";
import { freeze, lateness, startRuns, take, untilRuns } from "./workflows-runs.ts";

const agent = "bench-workflows";

/** What runs of workflows cost: steps a second beside DBOS, runs that sleep, runs that are due, long runs and long loops. */
export const workflows: Figure = {
  name: "workflows",
  title: "workflows: steps a second beside DBOS, sleeping and due runs, a long run, a long loop",
  run: (bench) =>
    bench.withService(async (service) => {
      const { call, close } = clientOf(service);
      try {
        await deployAgent(call, agent, { provider: "builtin" });
        return [
          ...(await steps(bench, service)),
          ...(await governed(bench, service)),
          ...(await long(bench, service)),
          ...(await sleeping(bench, service)),
          ...(await spread(bench, service)),
          ...(await loop(bench, service)),
        ];
      } finally {
        close();
      }
    }),
};

const stepsOf = (count: number, of: (at: number) => Omit<Step, "id">): Step[] =>
  Array.from({ length: count }, (_none, at) => ({ id: `step_${at}`, ...of(at) }));
const repeat = (at: number): Omit<Step, "id"> => ({ agent: { name: agent, skill: skillName, input: { number: at } } });

/** Trivial steps in this service and in DBOS in turn, on the same PostgreSQL. Both keep each step's output before the workflow ends. */
async function steps(bench: Bench, service: Service): Promise<Result[]> {
  const [runs, count] = bench.quick ? [50, 10] : [500, 10];
  const dbos = await startDbos(bench, service);
  const workflow = await freeze(
    service,
    stepsOf(count, (at) => ({ set: { at } })),
  );
  await take(service, workflow, runs);
  await dbos.take(runs, count);
  const total = runs * count;
  const measured = await pairs(
    bench.pairs,
    async () => total / (await take(service, workflow, runs)),
    async () => total / (await dbos.take(runs, count)),
    (ours, theirs) => bench.say(`  steps a second: ours ${ours.toFixed(0)}, DBOS ${theirs.toFixed(0)}`),
  );
  bench.say(
    `  ${runs} runs at once of ${count} steps that set a value; DBOS: as many workflows of steps that return one`,
  );
  return [
    { what: "trivial steps beside DBOS", value: measured.ratio, unit: "×", bar: 1, aim: 3, better: "higher" },
    ...told("trivial steps", Math.max(...measured.a), "/s", "higher"),
    ...told("trivial steps of DBOS", Math.max(...measured.b), "/s", "higher"),
  ];
}

const told = (what: string, value: number, unit: Result["unit"], better: Result["better"]): Result[] => [
  { what, value, unit, bar: null, aim: null, better },
];

/** Steps that are tasks: each dispatched, started, run and ended by calls that are governed and recorded. */
async function governed(bench: Bench, service: Service): Promise<Result[]> {
  const runs = bench.quick ? 10 : 50;
  const count = 5;
  const look = { agent: "sales", name: "get_lead", arguments: { lead_id: "'ld_1001'" } };
  const results: Result[] = [];
  for (const [what, of] of [
    ["governed steps of an agent on the built-in model", repeat],
    ["governed steps that call a tool", () => ({ tool: look })],
  ] as const) {
    const workflow = await freeze(service, stepsOf(count, of));
    await take(service, workflow, Math.ceil(runs / 5));
    results.push(...told(what, (runs * count) / (await take(service, workflow, runs)), "/s", "higher"));
  }
  return results;
}

/** One run of many steps: alone what it is to keep a journal, and with tasks for a tenth of them. */
async function long(bench: Bench, service: Service): Promise<Result[]> {
  const count = bench.quick ? 1_000 : 10_000;
  const limits = { limits: { steps: count } };
  const set = await freeze(
    service,
    stepsOf(count, (at) => ({ set: { at } })),
    limits,
  );
  const tasks = await freeze(
    service,
    stepsOf(count, (at) => (at % 10 === 0 ? repeat(at) : { set: { at } })),
    limits,
  );
  const of = `one run of ${count.toLocaleString("en")} steps`;
  return [
    ...told(of, await take(service, set, 1), "s", "lower"),
    ...told(`${of}, every tenth a task`, await take(service, tasks, 1), "s", "lower"),
  ];
}

/** What the service and its database use while many runs sleep, beside what they use without; then all are due in the same second. */
async function sleeping(bench: Bench, service: Service): Promise<Result[]> {
  const count = bench.quick ? 1_000 : 10_000;
  const seconds = bench.quick ? 5 : 20;
  const idle = await used(service, seconds);
  const at = new Date(Date.now() + (bench.quick ? 30_000 : 150_000));
  const workflow = await freeze(service, [{ id: "rest", wait: { until: "timestamp(input.at)" } }]);
  await startRuns(service, workflow, count, { at });
  await untilRuns(service, workflow, count, ["waiting"], at.getTime() - Date.now());
  await delay(5_000);
  const asleep = await used(service, seconds);
  if (Date.now() > at.getTime()) throw new Error("the runs were due before their sleep was measured");
  await untilRuns(service, workflow, count, ["completed"], at.getTime() - Date.now() + 120_000);
  const late = await lateness(service, workflow);
  const runs = count.toLocaleString("en");
  if (idle && asleep)
    bench.say(
      `  processor time in ${seconds} s: service ${idle.service.toFixed(2)} s, database ${idle.database.toFixed(2)} s; ` +
        `with ${runs} runs asleep ${asleep.service.toFixed(2)} s and ${asleep.database.toFixed(2)} s`,
    );
  const more = idle && asleep ? asleep.service + asleep.database - idle.service - idle.database : Number.NaN;
  return [
    ...told(`processor time of ${runs} sleeping runs, a second`, (1000 * more) / seconds, "ms", "lower"),
    {
      what: `${runs} runs due in one second, the last begun after`,
      value: Math.max(...late) / 1000,
      unit: "s",
      bar: 15,
      aim: 5,
      better: "lower",
    },
  ];
}

async function used(service: Service, seconds: number): Promise<{ service: number; database: number } | null> {
  const before = await processorTime(service);
  await delay(seconds * 1000);
  const after = await processorTime(service);
  return before && after
    ? { service: after.service - before.service, database: after.database - before.database }
    : null;
}

/** Runs that are due one after the other, as 10,000 spread over an hour are. */
async function spread(bench: Bench, service: Service): Promise<Result[]> {
  const seconds = bench.quick ? 10 : 60;
  const count = Math.round((10_000 / 3_600) * seconds);
  const workflow = await freeze(service, [{ id: "rest", wait: { until: "timestamp(input.at)" } }]);
  const first = Date.now() + 3_000;
  for (let at = 0; at < count; at += 1)
    await startRuns(service, workflow, 1, { at: new Date(first + (at * seconds * 1000) / count) });
  await untilRuns(service, workflow, count, ["completed"], (seconds + 60) * 1000);
  const late = await lateness(service, workflow);
  bench.say(`  ${count} runs due over ${seconds} s: median ${quantile(late, 0.5).toFixed(0)} ms late`);
  return [
    {
      what: "runs due over an hour, the latest",
      value: Math.max(...late),
      unit: "ms",
      bar: 1_000,
      aim: 250,
      better: "lower",
    },
  ];
}

/** A loop whose items are runs of a trivial workflow: how fast it goes on, and whether the service's memory grows with its items, which stand in pages of their own. */
async function loop(bench: Bench, service: Service): Promise<Result[]> {
  const [count, seconds] = bench.quick ? [2_000, 5] : [100_000, 60];
  const item = await freeze(service, [{ id: "same", set: { of: "input.of" } }]);
  const each: Step = {
    id: "each",
    for_each: { in: "input.list", as: "one", at_most: count, parallel: 100 },
    workflow: { name: item, version: 1, input: { of: "one" } },
  };
  const workflow = await freeze(service, [each]);
  const list = Array.from({ length: count }, (_none, at) => at);
  const before = await residentMb(service.pid);
  const began = performance.now();
  await startRuns(service, workflow, 1, { list });
  await untilRuns(service, item, 100, ["completed"]);
  const first = (performance.now() - began) / 1000;
  const done = await ended(service, item);
  await delay(seconds * 1000);
  const rate = ((await ended(service, item)) - done) / seconds;
  const grown = (await residentMb(service.pid)) - before;
  const of = `loop over ${count.toLocaleString("en")} items`;
  return [
    ...told(`${of}, its first 100 done after`, first, "s", "lower"),
    ...told(`${of}, items that are runs of their own`, rate, "/s", "higher"),
    ...told(`${of}, memory of the service more`, grown, "MB", "lower"),
  ];
}

const ended = async ({ pool }: Service, workflow: string): Promise<number> =>
  (
    await pool.query<{ n: number }>(
      "select count(*)::int as n from workflow_runs where workflow = $1 and finished_at is not null",
      [workflow],
    )
  ).rows[0]?.n ?? 0;
