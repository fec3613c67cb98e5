import type { Bench, Figure, Result } from "../figure.ts";
import { fill } from "../fill.ts";
import { readLoad } from "../loads.ts";
import { pairs } from "../pairs.ts";
import type { Service } from "../service.ts";
import { runLoad } from "../wrk.ts";

const few = 10_000;
const lists = [
  { name: "agent and status", query: "agent=sales&status=awaiting_approval" },
  { name: "status and risk", query: "status=failed&risk=high" },
  { name: "agent and risk", query: "agent=support&risk=low" },
] as const;

/** A list must not become slow because there is much that it leaves out. */
export const listScale: Figure = {
  name: "list-scale",
  title: "list of 25 tasks with two filters among many, against among 10,000",
  async run(bench) {
    const many = await bench.filled();
    return bench.withService(async (small) => {
      await fill(small, { rows: few, say: bench.say });
      const seconds = bench.quick ? 1 : 2;
      bench.say(
        `  ${bench.manyRows.toLocaleString("en")} against ${few.toLocaleString("en")} tasks, ${seconds} s a run, ${bench.pairs} pairs after one run each to warm up; p50`,
      );
      const results: Result[] = [];
      for (const connections of [1, 8]) {
        let worst = 0;
        for (const list of lists)
          worst = Math.max(worst, await compare(bench, many, small, list, connections, seconds));
        results.push({
          what: `slowest list, ${connections} connection${connections === 1 ? "" : "s"}`,
          value: worst,
          unit: "×",
          bar: 1.3,
          aim: 1.1,
          better: "lower",
        });
      }
      return results;
    });
  },
};

async function compare(
  bench: Bench,
  many: Service,
  small: Service,
  list: (typeof lists)[number],
  connections: number,
  seconds: number,
): Promise<number> {
  const folder = await bench.folder("loads");
  const path = `/v1/tasks?${list.query}&limit=25`;
  const found = await Promise.all([many, small].map((service) => countOf(service, path)));
  if (found.some((count) => count !== 25))
    throw new Error(`the list ${path} has ${found.join(" and ")} tasks instead of 25`);
  const p50 = async ({ url, key }: Service): Promise<number> =>
    (await runLoad({ url, load: readLoad("list", key, [path]), connections, seconds, folder })).p50;
  await p50(many);
  await p50(small);
  const { ratio, a, b } = await pairs(
    bench.pairs,
    () => p50(many),
    () => p50(small),
  );
  const ms = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(", ");
  bench.say(
    `  ${list.name}, ${connections} connection${connections === 1 ? "" : "s"}: among many ${ms(a)} ms, among few ${ms(b)} ms, ratio ${ratio.toFixed(2)}`,
  );
  return ratio;
}

async function countOf({ url, key }: Service, path: string): Promise<number> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200)
    throw new Error(`the list ${path} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown[] }).data.length;
}
