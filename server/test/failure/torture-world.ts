import { readdir } from "node:fs/promises";
import { type Answered, clientOf } from "../client.ts";
import type { Caller, Expectation } from "./torture-ledger.ts";
import type { Outside } from "./torture-outside.ts";

/** What the scenarios of the load work with. */
export interface World {
  /** Who does the work, and a second person with the same role. */
  readonly caller: Caller;
  readonly second: Caller;
  readonly outside: Outside;
  /** A folder that connectors may read. */
  readonly folder: string;
  /** Uniform in [0, 1). */
  uniform(): number;
  /** A name that nothing else has; checks find what carries it. */
  mark(): string;
  /** Objects that scenarios leave for others, by kind; the newest last. */
  readonly known: { [kind in "tasks" | "bases" | "conversations"]: string[] };
  /** The secret of the hook that starts runs. */
  hookSecret: string;
  /** Schedules and triggers that fire every minute until the load is over. */
  readonly minutely: string[];
}

/** One piece of work of a client; it ends where a call is not acknowledged. */
export type Scenario = (world: World) => Promise<void>;

const finals = ["completed", "failed", "cancelled", "rejected", "expired", "blocked", "compensated"];

/** An object must be in one of these states; in a state that is no end it is stuck. */
export function ends(...good: readonly string[]): Expectation["judge"] {
  return ({ status, text, body }: Answered) => {
    if (status !== 200) return { verdict: "lost", why: `${status} ${text.slice(0, 200)}` };
    const state: string = body.status ?? body.state;
    if (good.includes(state)) return { verdict: "ok" };
    const why = `${state} ${JSON.stringify(body.failure ?? body.error ?? body.intervention ?? "")}`;
    return { verdict: finals.includes(state) ? "lost" : "stuck", why };
  };
}

export const pick = <T>({ uniform }: Pick<World, "uniform">, of: readonly T[]): T =>
  of[Math.floor(uniform() * of.length)] as T;

export const lead = (world: Pick<World, "uniform">): string => `ld_${1001 + Math.floor(world.uniform() * 150)}`;

const note = { type: "object", required: ["note"], properties: { note: { type: "string" } } };

/** What the load builds on; made before the first blow, so that every call has to succeed. */
export async function prepare(url: string, secret: string, world: World): Promise<void> {
  const call = clientOf(url, secret);
  const send = async (method: string, path: string, body: unknown, headers = {}): Promise<Answered["body"]> => {
    const answered = await call(method, path, { body, headers });
    if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
    return answered.body;
  };
  const tool = {
    name: "send_note",
    kind: "http",
    effect: "write",
    impact: { reversible: true },
    idempotency: { header: "Idempotency-Key" },
    arguments: note,
    request: { method: "POST", url: `${world.outside.url}/notes`, body: { note: "{note}" } },
  };
  const skill = { name: "note", input: note, output: { type: "object" }, tools: ["send_note"] };
  const agent = { agent: "noting", description: "Notes.", model: { provider: "builtin" } };
  await send("POST", "/v1/agents", { ...agent, tools: [tool], skills: [skill] });
  await send("POST", "/v1/agents/noting/versions", { note: "The first." });
  await send("POST", "/v1/agents/noting/deployments", { version: 1 });
  await send("POST", "/v1/governance/policies", {
    name: "notes may follow",
    reason_code: "noted",
    message: "It may.",
    state: "active",
    scope: { actions: ["tool.call"] },
    when: "true",
    effect: "tag",
    params: { tags: ["taint:accepted"] },
  });
  for (const workflow of workflows()) {
    await send("POST", "/v1/workflows", workflow);
    await send("POST", `/v1/workflows/${workflow.workflow}/publish`, {});
  }
  world.hookSecret = (await send("POST", "/v1/hooks", { name: "shop" })).secret;
  await send("POST", "/v1/webhooks", { url: `${world.outside.url}/events`, events: ["*"] });
  await send("PUT", "/v1/evaluations/scorers/torture-team", {
    kind: "exact",
    pointer: "/team",
    samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
  });
  await send("POST", "/v1/analytics/alerts", {
    name: "torture tasks",
    filters: { agent: ["sales"] },
    measure: "tasks",
    condition: { kind: "above", threshold: 20 },
  });
  const daily = { task: "qualify_lead", input: { lead_id: "ld_1001" }, labels: ["torture-schedule"] };
  const schedule = await send("POST", "/v1/agents/sales/schedules", {
    ...daily,
    schedule: "* * * * *",
    missed: "run_once",
  });
  world.minutely.push(`/v1/agents/sales/schedules/${schedule.schedule_id}`);
  const { data } = await send("GET", "/v1/workflows/torture-minutely/triggers", undefined);
  world.minutely.push(`/v1/workflows/torture-minutely/triggers/${data[0].trigger_id}`);
  if ((await readdir(world.folder)).length === 0) throw new Error("The folder of the connectors is empty.");
}

const send = (text: string) => ({ tool: { agent: "noting", name: "send_note", arguments: { note: text } } });

/** Steps of all kinds, each of whose effects is told outside under a note of its own. */
function workflows(): { workflow: string; [member: string]: unknown }[] {
  const child = [{ id: "in_child", ...send("input.of + '/in_child'") }];
  const steps = [
    { id: "first", ...send("input.of + '/first'") },
    {
      id: "both",
      parallel: {
        branches: {
          left: [{ id: "left", ...send("input.of + '/left'") }],
          right: [
            { id: "right", ...send("input.of + '/right'") },
            { id: "judge", agent: { name: "sales", skill: "route_lead", input: { lead_id: "'ld_1001'" } } },
          ],
        },
      },
    },
    {
      id: "each",
      for_each: { in: "[1, 2, 3]", as: "n", at_most: 3, parallel: 2 },
      ...send("input.of + '/item_' + string(int(n))"),
    },
    { id: "sub", workflow: { name: "torture-child", version: 1, input: { of: "input.of" } } },
    { id: "rest", wait: { for: "300ms" } },
    { id: "last", ...send("input.of + '/last'") },
  ];
  const asking = [
    { id: "ask", approval: { title: "input.of" } },
    { id: "then", ...send("input.of + '/then'") },
  ];
  const waiting = [
    { id: "hold", wait: { event: "torture.go", at_most: "1d" } },
    { id: "then", ...send("input.of + '/then'") },
  ];
  const done = [{ id: "done", set: { ok: "true" } }];
  return [
    { workflow: "torture-child", steps: child },
    { workflow: "torture-notes", steps },
    { workflow: "torture-asking", steps: asking },
    { workflow: "torture-waiting", steps: waiting },
    { workflow: "torture-paid", steps: done, triggers: [{ event: "order.paid", map: { order: "event.order" } }] },
    {
      workflow: "torture-minutely",
      steps: done,
      triggers: [{ schedule: "* * * * *", overlap: "allow", missed: "run_all" }],
    },
  ];
}

/** The notes that a finished run of `torture-notes` has left outside. */
export const notesOfRun = (of: string): string[] =>
  ["first", "left", "right", "item_1", "item_2", "item_3", "in_child", "last"].map((step) => `${of}/${step}`);
