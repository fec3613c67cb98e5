import { setTimeout as delay } from "node:timers/promises";
import type { Figure, Result } from "../figure.ts";
import { median } from "../pairs.ts";
import type { Service } from "../service.ts";
import { type ProcessorTime, processorTime } from "./tasks-processor.ts";
import { type Call, clientOf, deployAgent, dispatchTo } from "./tasks-service.ts";

const connections = 64;
const agent = "bench-throughput";
/** Tasks a second of the fastest of the peers that the bars name, from first accept to last end, measured on two cores another day. */
const bestPeer = 873;

/** Trivial tasks, from the first dispatch until the last is completed: one process of role `all` accepts, runs and records them. */
export const tasksThroughput: Figure = {
  name: "tasks-throughput",
  title: "trivial tasks, accepted over HTTP until all are completed: tasks a second",
  run: (bench) =>
    bench.withService(async (service) => {
      const tasks = bench.quick ? 200 : 1_000;
      const { call, close } = clientOf(service);
      try {
        await deployAgent(call, agent, { provider: "builtin" });
        bench.say(
          `  ${tasks.toLocaleString("en")} tasks a run, each a call of its own over ${connections} connections of a Node client, ${bench.pairs} runs after one to warm up, median; ` +
            "one process of role all; a skill without tools on the built-in model: one model step, each call and step of it governed and recorded",
        );
        await wave(service, call, agent, tasks);
        const before = await processorTime(service);
        const rates: number[] = [];
        for (let i = 0; i < bench.pairs; i++) {
          const { accepted, ended } = await wave(service, call, agent, tasks);
          rates.push(tasks / ended);
          bench.say(
            `  accepted after ${accepted.toFixed(2)} s, all completed after ${ended.toFixed(2)} s: ${(tasks / ended).toFixed(0)} tasks/s`,
          );
        }
        const rate = median(rates);
        bench.say(
          `  the best peer that the bars name did ${bestPeer}/s, elsewhere: ${(rate / bestPeer).toFixed(2)} of it (bar 1, aim 2.5)`,
        );
        const used = costs(before, await processorTime(service), tasks * bench.pairs);
        return [
          { what: "accepted to completed", value: rate, unit: "/s", bar: 800, aim: 2_000, better: "higher" },
          ...used,
        ];
      } finally {
        close();
      }
    }),
};

/** Seconds from the first dispatch until the last was accepted, and until the last had ended. Throws where one did not complete. */
export async function wave(
  { pool }: Service,
  call: Call,
  agent: string,
  tasks: number,
): Promise<{ accepted: number; ended: number }> {
  const began = Date.now();
  let next = 0;
  const lane = async (): Promise<string[]> => {
    const ids: string[] = [];
    while (next < tasks) ids.push(await dispatchTo(call, agent, next++));
    return ids;
  };
  const ids = (await Promise.all(Array.from({ length: connections }, lane))).flat();
  const accepted = (Date.now() - began) / 1000;
  for (const limit = Date.now() + 300_000; ; await delay(50)) {
    const { rows } = await pool.query<{ completed: number; open: number; last: Date | null }>(ends, [ids]);
    const { completed, open, last } = rows[0] as (typeof rows)[0];
    if (open > 0 && Date.now() < limit) continue;
    if (completed < tasks || last === null)
      throw new Error(`${completed} of ${tasks} tasks completed, ${open} are open`);
    return { accepted, ended: (last.getTime() - began) / 1000 };
  }
}

/** How many of these tasks are completed and open, and when the last ended, by the clock that the client has as well. */
const ends = `select count(*) filter (where status = 'completed')::int as completed, count(*) filter (where finished_at is null)::int as open,
    max(finished_at) as last
  from tasks where organization = 'default' and environment = 'development' and id = any($1)`;

/** Processor time of one task: what remains comparable where others use the machine as well. */
function costs(before: ProcessorTime | null, after: ProcessorTime | null, tasks: number): Result[] {
  if (!before || !after) return [];
  const told = { unit: "ms", bar: null, aim: null, better: "lower" } as const;
  return [
    { what: "processor time a task, service", value: (1000 * (after.service - before.service)) / tasks, ...told },
    { what: "processor time a task, database", value: (1000 * (after.database - before.database)) / tasks, ...told },
  ];
}
