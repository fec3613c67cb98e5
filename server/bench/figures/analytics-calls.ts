import { randomOf } from "../../../packages/builtin-model/src/random.ts";
import type { Service } from "../service.ts";
import { type Asked, type Drawn, differences, isAsked } from "./analytics-check.ts";
import { type Name, type Tasks, textOf } from "./analytics-data.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const zones = ["UTC", "Europe/Vienna", "America/Los_Angeles", "Asia/Kolkata"];

/** Operations that read figures; `window`: whether they take one. */
const operations: readonly { readonly name: string; readonly path: string; readonly window?: false }[] = [
  { name: "overview", path: "/overview" },
  { name: "usage", path: "/usage?by=skill" },
  { name: "costs", path: "/costs?by=member" },
  { name: "agents", path: `/agents/${textOf("agent", 0)}` },
  { name: "quality", path: "/quality" },
  { name: "approvals", path: "/approvals" },
  { name: "risk", path: "/risk" },
  { name: "tasks", path: "/tasks" },
  { name: "value", path: "/value" },
  { name: "tools", path: "/tools" },
  { name: "models", path: "/models" },
  { name: "knowledge", path: "/knowledge" },
  { name: "anomalies", path: "/anomalies" },
  { name: "realtime", path: "/realtime", window: false },
  { name: "chargeback", path: "/chargeback?by=label:customer", window: false },
];

interface Figure {
  readonly value: number | null;
  readonly n: number;
  readonly previous: number | null;
}
interface Answer {
  readonly from: string;
  readonly to: string;
  readonly figures?: Readonly<Record<string, Figure>>;
}

export interface Called {
  readonly name: string;
  readonly first: number;
  /** Milliseconds of each call. */
  readonly times: readonly number[];
  readonly wrong: readonly string[];
}

/** Calls each operation with the default window and with random ones, and holds the figures of whole windows and of those before against all tasks. */
export async function callOperations(service: Service, tasks: Tasks, calls: number): Promise<Called[]> {
  const called: Called[] = [];
  for (const { name, path, window } of operations) {
    const random = randomOf(11);
    const [times, wrong]: [number[], string[]] = [[], []];
    for (let at = 0; at < calls; at++) {
      const query = window === false || at % 3 === 0 ? "" : randomWindow(random, tasks);
      const began = performance.now();
      const answer = await get(service, `/v1/analytics${path}${query && (path.includes("?") ? "&" : "?") + query}`);
      times.push(performance.now() - began);
      if (at < 6)
        wrong.push(...wrongFigures(tasks, answer, name === "agents").map((one) => `${name} ${query}: ${one}`));
    }
    called.push({ name, first: times[0] as number, times, wrong });
  }
  return called;
}

/** One to 30 days within the last 45. */
function randomWindow(random: () => number, tasks: Tasks): string {
  const length = Math.ceil(30 * 1_440 * random());
  const to = tasks.start + 60 * dayMs - Math.floor(15 * 1_440 * random()) * minuteMs;
  const zone = zones[Math.floor(zones.length * random())] as string;
  const moment = (at: number) => new Date(at).toISOString();
  return new URLSearchParams({ from: moment(to - length * minuteMs), to: moment(to), time_zone: zone }).toString();
}

async function get({ url, key }: Service, path: string): Promise<Answer> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function wrongFigures(tasks: Tasks, { from, to, figures }: Answer, isOfAgent: boolean): string[] {
  const told = Object.entries(figures ?? {}).filter(([name]) => isAsked(name)) as [Asked, Figure][];
  if (told.length === 0) return [];
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const allowed = new Map<Name, ReadonlySet<number>>(isOfAgent ? [["agent", new Set([0])]] : []);
  return (["value", "previous"] as const).flatMap((which) => {
    const shift = which === "value" ? 0 : end - begin;
    const request: Drawn["request"] = {
      measures: told.map(([name]) => name),
      dimensions: [],
      timeZone: "UTC",
      from: begin - shift,
      to: end - shift,
    };
    const values = Object.fromEntries(
      told.map(([name, figure]) => [name, { value: figure[which], low: null, high: null, n: 1 }]),
    );
    const row = { from: begin - shift, key: {}, values: values as never };
    return differences(tasks, { request, allowed }, { rows: [row] }).map((one) => `${which}: ${one}`);
  });
}
