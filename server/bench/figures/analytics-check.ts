import {
  grains,
  type Measured,
  type RollupAnswer,
  type RollupRequest,
} from "../../src/features/analytics/rollups/rollup.ts";
import { days, type Name, names, sizeOf, type Tasks, textOf } from "./analytics-data.ts";

const minuteMs = 60_000;
const zones = ["UTC", "Europe/Vienna", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"];
const lengths = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200 } as const;
const asked = [
  "tasks",
  "failed",
  "success_rate",
  "accepted_rate",
  "cost_usd",
  "cost_per_task",
  "tokens",
  "trust_mean",
  "duration_p50",
  "duration_p90",
  "duration_p99",
] as const;
export type Asked = (typeof asked)[number];
export const isAsked = (name: string): name is Asked => (asked as readonly string[]).includes(name);

/** A request, and the values that its filters leave. */
export interface Drawn {
  readonly request: Omit<RollupRequest, "measures" | "dimensions"> & {
    readonly measures: readonly Asked[];
    readonly dimensions: readonly Name[];
  };
  readonly allowed: ReadonlyMap<Name, ReadonlySet<number>>;
}

const some = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

/** A random request within what the service allows. */
export function draw(random: () => number, tasks: Tasks): Drawn {
  for (;;) {
    const length = Math.ceil(days * 1_440 * random() ** 2);
    const from = Math.floor(random() * (days * 1_440 - length));
    const grain = some(random, [undefined, ...grains] as const);
    const dimensions = [...new Set(Array.from({ length: Math.floor(3 * random()) }, () => some(random, names)))];
    const measures = [...new Set(Array.from({ length: 1 + Math.floor(4 * random()) }, () => some(random, asked)))];
    const windows = grain === undefined ? 1 : Math.ceil(length / lengths[grain]) + 1;
    const cells = dimensions.reduce((product, name) => product * sizeOf(name), windows);
    if (windows > 2_000 || cells > (measures.some((name) => name.startsWith("duration")) ? 14_000 : 45_000)) continue;
    const allowed = new Map<Name, ReadonlySet<number>>();
    for (let more = Math.floor(3 * random()); more > 0; more--) {
      const name = some(random, names);
      const values = Array.from({ length: 1 + Math.floor(3 * random()) }, () =>
        Math.floor(sizeOf(name) * random() ** 2),
      );
      allowed.set(name, new Set(values));
    }
    const where = [...allowed].map(([name, values]) => {
      const variable = name.startsWith("label:") ? `label["${name.slice("label:".length)}"]` : name;
      return `${variable} in ${JSON.stringify([...values].map((value) => textOf(name, value)))}`;
    });
    const request = {
      measures,
      dimensions,
      timeZone: some(random, zones),
      ...(grain && { grain }),
      from: tasks.start + from * minuteMs,
      to: tasks.start + (from + length) * minuteMs,
      ...(where.length > 0 && { where: where.join(" && ") }),
    };
    return { request, allowed };
  }
}

/** The names of windows by minute: what clocks of the zone show, cut off to the grain. */
const windowNames = new Map<string, string[]>();
function windowName(tasks: Tasks, minute: number, grain: RollupRequest["grain"], timeZone: string): string {
  if (grain === undefined) return "";
  const name = `${grain} ${timeZone}`;
  const known = windowNames.get(name) ?? [];
  windowNames.set(name, known);
  known[minute] ??= nameOf(tasks.start + minute * minuteMs, grain, timeZone);
  return known[minute];
}

const formats = new Map<string, Intl.DateTimeFormat>();
function nameOf(at: number, grain: NonNullable<RollupRequest["grain"]>, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "long" });
  formats.set(timeZone, format);
  const local = format.format(at);
  if (grain === "minute" || grain === "hour") return local.slice(0, grain === "hour" ? 13 : 16) + local.slice(19);
  if (grain === "month") return local.slice(0, 7);
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  if (grain === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

interface Sums {
  n: number;
  open: number;
  completed: number;
  failed: number;
  judged: number;
  accepted: number;
  cost: number;
  tokens: number;
  trust: number;
  readonly durations: number[];
}

/** Goes through all tasks one by one. */
export function bruteForce(tasks: Tasks, { request, allowed }: Drawn): Map<string, Sums> {
  const found = new Map<string, Sums>();
  const [from, to] = [request.from, request.to].map((at) => (at - tasks.start) / minuteMs) as [number, number];
  const columns = request.dimensions.map((name) => tasks.values[name]);
  const filters = [...allowed].map(([name, values]) => ({ column: tasks.values[name], values }));
  for (let at = 0; at < tasks.minute.length; at++) {
    const minute = tasks.minute[at] as number;
    if (minute < from || minute >= to) continue;
    if (!filters.every(({ column, values }) => values.has(column[at] as number))) continue;
    const window = windowName(tasks, minute, request.grain, request.timeZone as string);
    const key = [window, ...columns.map((column) => column[at])].join("|");
    const none = { n: 0, open: 0, completed: 0, failed: 0, judged: 0, accepted: 0, cost: 0, tokens: 0, trust: 0 };
    const sums = found.get(key) ?? { ...none, durations: [] };
    if (sums.n === 0) found.set(key, sums);
    addTask(sums, tasks, at);
  }
  return found;
}

function addTask(sums: Sums, tasks: Tasks, at: number): void {
  const status = textOf("status", tasks.values.status[at] as number);
  sums.n++;
  if (status === "completed" || status === "failed" || status === "open") sums[status]++;
  sums.judged += tasks.judged[at] as number;
  sums.accepted += tasks.accepted[at] as number;
  sums.cost += tasks.cost[at] as number;
  sums.tokens += tasks.tokens[at] as number;
  sums.trust += tasks.trust[at] as number;
  sums.durations.push(tasks.duration[at] as number);
}

function exact(name: Asked, sums: Sums): number | null {
  const over = (of: number, by: number): number | null => (by === 0 ? null : of / by);
  switch (name) {
    case "tasks":
      return sums.n;
    case "failed":
      return sums.failed;
    case "success_rate":
      return over(sums.completed, sums.n - sums.open);
    case "accepted_rate":
      return over(sums.accepted / 10_000, sums.judged);
    case "cost_usd":
      return sums.cost / 1e9;
    case "cost_per_task":
      return over(sums.cost / 1e9, sums.n);
    case "tokens":
      return sums.tokens;
    case "trust_mean":
      return over(sums.trust / 10_000, sums.n);
    default: {
      const at = Number(name.slice("duration_p".length)) / 100;
      const sorted = sums.durations.sort((a, b) => a - b);
      return (sorted[Math.floor(at * (sorted.length - 1))] as number) / 1_000;
    }
  }
}

/** The rows of an answer; `more`: there are others, which it does not tell. */
export interface Told {
  readonly rows: readonly Pick<RollupAnswer["rows"][number], "from" | "key" | "values">[];
  readonly more?: boolean;
}

/** What of an answer is not what it should be. */
export function differences(tasks: Tasks, drawn: Drawn, { rows, more = false }: Told): string[] {
  const expected = bruteForce(tasks, drawn);
  const { request } = drawn;
  const wrong: string[] = [];
  const filled = rows.filter((row) => Object.values<Measured>(row.values).some(({ n }) => n > 0));
  const numbers = new Map(
    request.dimensions.map((name) => [
      name,
      new Map(Array.from({ length: sizeOf(name) }, (_none, value) => [textOf(name, value), value])),
    ]),
  );
  const seen = new Set<string>();
  for (const row of filled) {
    const minute = (row.from - tasks.start) / minuteMs;
    const window = windowName(tasks, minute, request.grain, request.timeZone as string);
    const key = [window, ...request.dimensions.map((name) => numbers.get(name)?.get(row.key[name] ?? ""))].join("|");
    const sums = expected.get(key);
    seen.add(key);
    if (!sums) wrong.push(`${key} is not there`);
    else
      for (const name of request.measures)
        if (!agrees(name, row.values[name].value, exact(name, sums)))
          wrong.push(`${key} ${name}: ${row.values[name].value} instead of ${exact(name, sums)}`);
  }
  for (const [key, sums] of more ? [] : expected)
    if (!seen.has(key) && request.measures.some((name) => (exact(name, sums) ?? 0) !== 0))
      wrong.push(`${key} is missing`);
  return wrong;
}

/** Percentiles within 1 %, all else equal but for the last digits of binary fractions. */
function agrees(name: Asked, found: number | null, wanted: number | null): boolean {
  if (found === null || wanted === null) return found === wanted;
  const tolerance = name.startsWith("duration") ? 0.01 : 1e-11;
  return Math.abs(found - wanted) <= tolerance * Math.abs(wanted) + 1e-12;
}
