import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { touchFacts } from "../../src/db/facts.ts";
import { startEcho } from "../echo.ts";
import type { Bench, Figure } from "../figure.ts";
import { dispatchLoad } from "../loads.ts";
import { pairs } from "../pairs.ts";
import type { Service } from "../service.ts";
import { runLoad } from "../wrk.ts";

const connections = 64;

/** Conditions as people write them: on risk, trust, input, time and who calls; one of each kind in turn. */
const conditions = [
  'risk.level in ["medium", "high", "critical"]',
  "trust.low < 0.6 && risk.score >= 2.0",
  'has(input.lead_id) && input.lead_id.startsWith("ld_")',
  'principal.role == "admin" || principal.kind == "service_account"',
  'skill.name == "qualify_lead" && environment == "development"',
];

/**
 * The given operation, once an environment is governed: 50 policies are active, of which 5 cover a dispatch, as the bar of the pipeline's own time has it, or all; and
 * three budgets cover it: money, of which it uses none, and tasks of the agent and of the key.
 */
export const dispatchGoverned: Figure = {
  name: "dispatch-governed",
  title: "the same dispatch under 50 active policies and three budgets: ratio to echo",
  async run(bench) {
    bench.say(
      `  ${connections} connections, ${bench.seconds} s a run, ${bench.pairs} pairs after one run each to warm up; distinct keys, 200 leads; 5 policies hold`,
    );
    const some = await bench.withService((service) => ratioUnder(bench, service, 5));
    const all = await bench.withService((service) => ratioUnder(bench, service, 50));
    return [
      {
        what: "5 of the policies cover it, ratio at 64 connections",
        value: some,
        unit: "",
        bar: 0.18,
        aim: 0.3,
        better: "higher",
      },
      {
        what: "all of the policies cover it, ratio at 64 connections",
        value: all,
        unit: "",
        bar: null,
        aim: null,
        better: "higher",
      },
    ];
  },
};

async function ratioUnder(bench: Bench, service: Service, covering: number): Promise<number> {
  const echo = await startEcho(bench.onEnd);
  const folder = await bench.folder("governed");
  const load = dispatchLoad(service.key);
  const rate = async (url: string): Promise<number> =>
    (await runLoad({ url, load, connections, seconds: bench.seconds, folder })).perSecond;
  const bare = [await rate(service.url), await rate(service.url)].at(-1) as number;
  await govern(service, covering);
  await rate(service.url);
  await rate(echo.url);
  const { ratio, a } = await pairs(
    bench.pairs,
    () => rate(service.url),
    () => rate(echo.url),
    (one, other) =>
      bench.say(
        `  ${covering} cover: service ${one.toFixed(0)}/s  echo ${other.toFixed(0)}/s  ratio ${(one / other).toFixed(3)}`,
      ),
  );
  const counted = await usedOf(service);
  bench.say(
    `  before, with no policy and no budget: ${bare.toFixed(0)}/s; counted by the three budgets: ${counted.join(", ")}`,
  );
  const made = a.reduce((sum, perSecond) => sum + perSecond * bench.seconds, 0);
  if (Math.max(...counted) < made / 2)
    throw new Error(`budgets counted ${counted.join(", ")} of ${made.toFixed(0)} dispatches`);
  await echo.stop();
  return ratio;
}

/** Puts policies and budgets in force, and waits the second within which they hold. */
async function govern({ url, key, pool }: Service, covering: number): Promise<void> {
  await insertPolicies(pool, covering);
  const call = async (method: string, path: string, body?: unknown): Promise<{ key: { key_id: string } }> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { key: { key_id: string } };
  };
  const { key_id } = (await call("GET", "/v1/admin/whoami")).key;
  const set = (scope: string, unit: string, period: string, hard: number) =>
    call("PUT", `/v1/governance/budgets/${scope}`, { limits: [{ unit, period, hard, warn: hard }] });
  await set("environment", "usd", "month", 1_000);
  await set("agent:sales", "tasks", "day", 100_000_000);
  await set(`key:${key_id}`, "tasks", "day", 100_000_000);
  await delay(1_000);
}

async function insertPolicies(pool: pg.Pool, covering: number): Promise<void> {
  for (let i = 0; i < 50; i++) {
    const condition = conditions[i % conditions.length] as string;
    const definition = {
      scope: { actions: ["task.dispatch"], ...(i < covering ? {} : { agents: [`other-${i}`] }) },
      when: i < conditions.length ? condition : `(${condition}) && trust.score > 0.99`,
      effect: "tag",
      params: { tags: [`noted-${i}`] },
      reason_code: `reason_${i}`,
      message: `Policy ${i} of the bench.`,
      controls: [],
    };
    await pool.query(
      "insert into policies (organization, environment, id, version, state, definition, author) values ('default', 'development', $1, 1, 'active', $2, 'bench')",
      [`pol_bench${String(i).padStart(2, "0")}`, JSON.stringify(definition)],
    );
  }
  await pool.query(touchFacts, [["policies"]]);
}

/** What the budgets have counted, once a second has passed in which it is reported. */
async function usedOf({ pool }: Service): Promise<number[]> {
  await delay(1_500);
  const { rows } = await pool.query<{ used: string }>("select used from budget_use order by scope");
  return rows.map(({ used }) => Number(used));
}
