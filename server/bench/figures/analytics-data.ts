import { binOf } from "@aos/rollup";
import { randomOf } from "../../../packages/builtin-model/src/random.ts";
import { type Family, labelled } from "../../src/features/analytics/rollups/measures.ts";
import { type Fact, Numbers, storeFacts } from "../../src/features/analytics/rollups/rollup.fixture.ts";

type Scope = Parameters<typeof storeFacts>[0]["scope"];
type Pool = Parameters<typeof storeFacts>[0]["pool"];

export const days = 60;
const minuteMs = 60_000;
const dayMinutes = 1_440;

/** How many values each dimension has. */
const sizes = {
  agent: 20,
  version: 60,
  skill: 40,
  model: 5,
  key: 50,
  member: 300,
  risk: 3,
  status: 5,
  origin: 4,
  "label:team": 12,
  "label:customer": 900,
} as const;
export type Name = keyof typeof sizes;
export const names = Object.keys(sizes) as Name[];
export const sizeOf = (name: Name): number => sizes[name];
const statuses = ["completed", "failed", "rejected", "cancelled", "open"];

/** Synthetic tasks, column by column. */
export interface Tasks {
  readonly start: number;
  /** Minutes since the start, in order. */
  readonly minute: Uint32Array;
  readonly values: Readonly<Record<Name, Uint16Array>>;
  readonly cost: Float64Array;
  readonly tokens: Float64Array;
  readonly duration: Float64Array;
  readonly judged: Uint8Array;
  readonly accepted: Float64Array;
  readonly trust: Float64Array;
}

export function textOf(name: Name, value: number): string {
  if (name === "status") return statuses[value] as string;
  return `${name.replace("label:", "")}-${value}`;
}

/** Some values far more often than others, as agents and customers are. */
const skewed = (random: () => number, size: number): number => Math.floor(size * random() ** 2.5);

export function drawTasks(count: number, start: number): Tasks {
  const random = randomOf(19);
  const minute = Uint32Array.from({ length: count }, () => {
    const day = Math.floor(random() * days);
    return day * dayMinutes + Math.floor((dayMinutes * (random() + random() + random())) / 3);
  }).sort();
  const column = (make: () => number) => Float64Array.from({ length: count }, make);
  const values = Object.fromEntries(
    names.map((name) => [name, Uint16Array.from({ length: count }, () => skewed(random, sizes[name]))]),
  ) as Record<Name, Uint16Array>;
  // An agent has its own versions and skills.
  for (let at = 0; at < count; at++) {
    const agent = values.agent[at] as number;
    values.version[at] = 3 * agent + Math.floor(3 * random());
    values.skill[at] = 2 * agent + Math.floor(2 * random());
  }
  const judged = Uint8Array.from({ length: count }, () => (random() < 0.3 ? 1 : 0));
  return {
    start,
    minute,
    values,
    judged,
    cost: column(() => Math.floor(2e7 * random() ** 3)),
    tokens: column(() => Math.floor(4_000 * random())),
    duration: column(() => Math.floor(200 * Math.exp(6 * random()))),
    accepted: Float64Array.from(judged, (one) => (one === 1 && random() < 0.85 ? 10_000 : 0)),
    trust: column(() => 5_000 + Math.floor(5_000 * random())),
  };
}

function factOf(tasks: Tasks, at: number): Fact {
  const { start, minute, values, cost, tokens, duration, judged, accepted, trust } = tasks;
  const dimensions = Object.fromEntries(names.map((name) => [name, textOf(name, values[name][at] as number)]));
  const ended = dimensions.status === "open" ? 0 : 1;
  return {
    at: start + (minute[at] as number) * minuteMs,
    dimensions,
    sums: {
      n: 1,
      ended,
      cost: cost[at] as number,
      tokens: tokens[at] as number,
      duration_ms: duration[at] as number,
      judged: judged[at] as number,
      accepted: accepted[at] as number,
      trust: trust[at] as number,
    },
    bins: { duration: [[binOf(duration[at] as number), 1]] },
  };
}

/** What else there is of a task: a step, of every 20th an approval, of every 50th a violation. */
function othersOf({ at, dimensions, sums, bins }: Fact, index: number): Partial<Record<Family, Fact>> {
  const { agent, version, skill, risk, key, member, model } = dimensions as Record<Name, string>;
  const labels = Object.fromEntries(
    names.flatMap((name) => (name.startsWith("label:") ? [[name, dimensions[name] as string]] : [])),
  );
  const kind = index % 3 === 0 ? "tool" : "model";
  const step = { agent, version, skill, kind, name: kind === "tool" ? `tool_${index % 30}` : model, ...labels };
  const approval = {
    agent,
    version,
    skill,
    risk,
    tool: `tool_${index % 30}`,
    decision: index % 40 === 0 ? "approved" : "rejected",
    approver: member,
    ...labels,
  };
  const approved = approval.decision === "approved" ? 1 : 0;
  return {
    steps: {
      at,
      dimensions: step,
      sums: { n: 1, cost: sums.cost as number, tokens: sums.tokens as number },
      ...(bins && { bins }),
    },
    ...(index % 20 === 0 && {
      approvals: {
        ...{
          at,
          dimensions: approval,
          sums: { n: 1, decided: 1, approved, rejected: 1 - approved, overridden: 1 - approved },
        },
        bins: { time_to_decide: [[binOf(1_000 + index), 1]] },
      },
    }),
    ...(index % 50 === 0 && {
      violations: {
        at,
        sums: { n: 1, blocked: 1 },
        dimensions: {
          agent,
          policy: `pol_${index % 7}`,
          kind: "blocked",
          reason: `reason_${index % 5}`,
          action: "tasks.dispatch",
          key,
          member,
        },
      },
    }),
  };
}

const filled = ["tasks", "steps", "approvals", "violations"] as const satisfies Family[];

/** Stores the tasks, and what else there is of them, as blocks of minutes, hours and days. Numbers of values that there are stay as they are. */
export async function fill(pool: Pool, tasks: Tasks): Promise<void> {
  const scope = { organization: "default", environment: "development" as const };
  const numbers = await numbersIn(pool, scope);
  let at = 0;
  for (let day = 1; day <= days; day++) {
    const facts: Record<(typeof filled)[number], Fact[]> = { tasks: [], steps: [], approvals: [], violations: [] };
    for (; at < tasks.minute.length && (tasks.minute[at] as number) < day * dayMinutes; at++) {
      const task = factOf(tasks, at);
      facts.tasks.push(task);
      const others = othersOf(task, at);
      for (const family of filled) if (others[family]) facts[family].push(others[family]);
    }
    for (const family of filled)
      await storeFacts(
        { pool, scope, family, labels: labelled.has(family) ? ["team", "customer"] : [] },
        facts[family],
        { numbers },
      );
  }
}

/** The numbers that values have already: the service remembers them. */
async function numbersIn(pool: Pool, { organization, environment }: Scope): Promise<Numbers> {
  const { rows } = await pool.query(
    "select dimension, number, value from analytics_values where organization = $1 and environment = $2 order by number",
    [organization, environment],
  );
  if (rows.some(({ dimension }) => dimension === "label")) throw new Error("the sample declares labels");
  const numbers = new Numbers();
  for (const { dimension, value, number } of rows)
    if (numbers.of(dimension, value) !== number) throw new Error(`${value} of ${dimension} has another number`);
  return numbers;
}
