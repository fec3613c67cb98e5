import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../src/testing/app.ts";
import { deployAgent, dispatch, type Fate, type Provider, startProvider } from "./ledger.fixture.ts";
import { until } from "./processes.ts";

// 500 tasks with errors of their provider, retries, cancels and open ones: every figure of money is a sum over the ledger.

const counts: Readonly<Record<Fate, number>> = {
  ok: 170,
  tool: 60,
  repaired: 40,
  refused: 90,
  broken: 60,
  again: 20,
  asks: 30,
  hangs: 20,
  late: 10,
};
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
const scopes = ["environment", "agent:payer"] as const;
const ended = ["completed", "failed", "cancelled"];

let app: TestApp;
let provider: Provider;
let keys: { secret: string; memberId: string; keyId: string }[];
const tasks = new Map<string, Fate>();
/** The names by which the provider knows them. */
const names = new Map<string, string>();

beforeAll(async () => {
  [app, provider] = await Promise.all([startTestApp({ role: "all" }), startProvider()]);
  keys = await Promise.all([app.member("operator"), app.member("operator")]);
  const settings = { body: { settings: { analytics: { labels: ["customer"] } } }, headers: { "if-match": "*" } };
  expect((await app.call("PATCH", "/v1/admin/settings", settings)).status).toBe(200);
  await deployAgent(app, provider);
  const limits = ["day", "month", "total"].map((period) => ({ unit: "usd", period, hard: 900, warn: 800 }));
  for (const scope of [...scopes, `key:${keys[0]?.keyId}`, `member:${keys[1]?.memberId}`]) {
    const { status, text } = await app.call("PUT", `/v1/governance/budgets/${scope}`, { body: { limits } });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
  await work();
}, 300_000);
afterAll(async () => {
  await provider?.close();
  await app?.close();
});

/** Dispatches everything, tries some again, cancels half of those that hang, and leaves the others open. */
async function work(): Promise<void> {
  const all = Object.entries(counts).flatMap(([fate, count]) =>
    Array.from({ length: count }, (_none, number) => [fate as Fate, number] as const),
  );
  for (let at = 0; at < all.length; at += 20)
    await Promise.all(
      all.slice(at, at + 20).map(async ([fate, number]) => {
        const id = await dispatch(app, fate, number, keys[number % 2]?.secret as string);
        tasks.set(id, fate);
        names.set(id, `${fate}-${number}`);
      }),
    );
  const statuses = async (fates: readonly Fate[]) => {
    const ids = [...tasks].flatMap(([id, fate]) => (fates.includes(fate) ? [id] : []));
    const { rows } = await app.pool.query<{ id: string; status: string }>(
      "select id, status from tasks where id = any($1)",
      [ids],
    );
    return rows;
  };
  const settled = async () =>
    (await statuses(Object.keys(counts) as Fate[])).every(({ id, status }) =>
      tasks.get(id) === "hangs"
        ? status === "running" && provider.turns.get(names.get(id) as string) === 2
        : [...ended, "input_required"].includes(status),
    );
  await until("all have come as far as they go", settled, 120_000, () => statuses(["late"]));
  for (const { id } of await statuses(["again"])) await app.call("POST", `/v1/tasks/${id}/retry`);
  const hanging = (await statuses(["hangs"])).slice(0, 10);
  for (const { id } of hanging) await app.call("POST", `/v1/tasks/${id}/cancel`);
  const over = async () => (await statuses(["again"])).every(({ status }) => status === "completed");
  await until("those that were tried again have completed", over, 60_000);
}

const get = async (path: string) => {
  const { status, body, text } = await app.call("GET", path);
  expect([status, path, text]).toEqual([200, path, expect.any(String)]);
  return body;
};
const micros = (usd: number): number => Math.round(usd * 1e9) / 1e3;
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** What the ledger has, in millionths. */
async function ledger(where = "true"): Promise<{ spent: number; reserved: number; released: number; entries: number }> {
  const { rows } = await app.pool.query(
    `select coalesce(sum(spent), 0)::float8 as spent, coalesce(sum(reserved), 0)::float8 as reserved, coalesce(sum(released), 0)::float8 as released,
       count(*)::int as entries from ledger_entries where environment = 'development' and ${where}`,
  );
  return rows[0];
}

/** Waits until analytics have everything that was spent. */
async function figuresOf(spent: number): Promise<void> {
  let shown: number | null = null;
  const isThere = async () => {
    shown = micros((await get("/v1/analytics/overview")).figures.cost_usd.value);
    return shown === spent;
  };
  await until("analytics have all that was spent", isThere, 30_000, () => ({ shown, spent }));
}

describe(`the cost of ${total} tasks`, () => {
  it("is what their provider said, and nothing where it failed", async () => {
    expect(total).toBe(500);
    const turn = Math.ceil(25 * 3.1 + 15 * 15.7);
    const costs = async (fate: Fate) => {
      const ids = [...tasks].flatMap(([id, of]) => (of === fate ? [id] : []));
      const { rows } = await app.pool.query("select cost_usd from tasks where id = any($1)", [ids]);
      return [...new Set(rows.map(({ cost_usd }) => micros(cost_usd)))];
    };
    expect(await costs("ok")).toEqual([turn]);
    expect(await costs("refused")).toEqual([0]);
    expect(await costs("again")).toEqual([turn]);
    expect(await costs("repaired")).toEqual([2 * turn]);
    expect(await costs("tool")).toEqual([2 * turn + 1_235]);
    expect(await costs("asks")).toEqual([turn]);
    expect(await costs("hangs"), "open and cancelled ones alike").toEqual([turn]);
    for (const fate of ["broken", "late"] as const)
      for (const cost of await costs(fate)) expect(cost, fate).toBeGreaterThan(0);
  });

  it("is the sum over the ledger on each task, step, page, figure, budget and bill", async () => {
    const { spent, reserved, released } = await ledger("task_id is not null");
    expect(spent).toBeGreaterThan(0);
    expect(released).toBeGreaterThanOrEqual(reserved - spent);
    await figuresOf(spent);

    const listed: { task_id: string; cost_usd: number }[] = [];
    for (let next: string | null = "/v1/tasks?agent=payer&limit=100"; next !== null; ) {
      const page: { data: typeof listed; next_cursor: string | null } = await get(next);
      listed.push(...page.data);
      next = page.next_cursor === null ? null : `/v1/tasks?agent=payer&limit=100&cursor=${page.next_cursor}`;
    }
    expect(listed).toHaveLength(total);
    expect(sum(listed.map(({ cost_usd }) => micros(cost_usd)))).toBe(spent);
    const { rows: unequal } = await app.pool.query(
      `select t.id from tasks t left join lateral (select coalesce(sum(spent), 0) as spent from ledger_entries e where e.task_id = t.id) e on true
         left join lateral (select coalesce(sum(cost_usd), 0) as steps from steps s where s.task_id = t.id) s on true
       where t.agent = 'payer' and (round((t.cost_usd * 1e6)::numeric, 3) <> e.spent or round((s.steps * 1e6)::numeric, 3) <> e.spent)`,
    );
    expect(unequal, "tasks whose cost is not the sum of their entries and of their steps").toEqual([]);

    const places: Record<string, number> = {};
    const costs = await get("/v1/analytics/costs?by=agent");
    places["costs: figure"] = micros(costs.figures.cost_usd.value);
    places["costs: ledger"] = micros(costs.ledger.tasks_usd);
    places["costs: forecast, spent so far"] = micros(costs.forecast.spent_usd);
    places["costs: series"] = Math.round(sum(costs.series.map((point: Row) => micros(point.values.cost_usd ?? 0))));
    for (const by of ["agent", "version", "skill", "model", "key", "member", "status", "origin", "label:customer"]) {
      const { rows } = await get(`/v1/analytics/costs?by=${encodeURIComponent(by)}`);
      places[`costs by ${by}`] = sum(rows.map((row: Row) => micros(row.figures.cost_usd.value)));
    }
    places["agent's page"] = micros((await get("/v1/analytics/agents/payer")).figures.cost_usd.value);
    const [tools, models] = [await get("/v1/analytics/tools"), await get("/v1/analytics/models")];
    places["tools and models"] = micros(tools.figures.step_cost_usd.value) + micros(models.figures.step_cost_usd.value);
    const value = await get("/v1/analytics/value");
    places.value = micros(value.declared.cost_usd) + micros(value.undeclared.cost_usd);
    for (const by of ["member", "key", "agent", "label:customer"]) {
      const path = `/v1/analytics/chargeback?by=${encodeURIComponent(by)}`;
      const bill = await get(path);
      places[`bill by ${by}`] = bill.total.cost_microusd;
      places[`bill by ${by}, lines`] = sum(bill.lines.map((line: Row) => line.cost_microusd));
      const { text } = await app.call("GET", path, { headers: { accept: "text/csv" } });
      const lines = text
        .trimEnd()
        .split("\r\n")
        .map((line) => line.split(","));
      const column = lines[0]?.indexOf("cost_microusd") as number;
      places[`bill by ${by}, CSV`] = sum(lines.flatMap((line) => (line[0] === "line" ? Number(line[column]) : [])));
    }
    const asked = { measures: ["cost_usd"], dimensions: ["agent"], from: costs.from, to: costs.to };
    const query = { body: asked, headers: { accept: "text/csv" } };
    const csv = (await app.call("POST", "/v1/analytics/query", query)).text.trimEnd().split("\r\n");
    const at = csv[0]?.split(",").indexOf("cost_usd") as number;
    places["query, CSV"] = Math.round(sum(csv.slice(1).map((line) => micros(Number(line.split(",")[at])))));
    expect(places).toEqual(Object.fromEntries(Object.keys(places).map((name) => [name, spent])));
  });

  it("is what budgets have used, with what was spent outside of tasks", async () => {
    const preview = { task: "work", input: { fate: "fate_ok-preview-1" } };
    const { status, body } = await app.call("POST", "/v1/agents/payer/preview", { body: preview });
    expect([status, body.status]).toEqual([200, "completed"]);
    const outside = await ledger("task_id is null");
    expect(micros(body.cost_usd)).toBe(outside.spent);
    const all = await ledger();
    const parts: Record<string, string> = {
      environment: "true",
      "agent:payer": "agent = 'payer'",
      [`key:${keys[0]?.keyId}`]: `key_id = '${keys[0]?.keyId}'`,
      [`member:${keys[1]?.memberId}`]: `principal = '${keys[1]?.memberId}'`,
    };
    for (const [scope, where] of Object.entries(parts)) {
      const { spent } = await ledger(where);
      let limits: Row[] = [];
      const isCounted = async () => {
        limits = (await get(`/v1/governance/budgets/${scope}`)).limits;
        return limits.every(({ used }) => micros(used) === spent);
      };
      await until(`${scope} has used ${spent}`, isCounted, 20_000, () => limits);
    }
    const { ledger: shown, budgets, figures } = await get("/v1/analytics/costs");
    expect(micros(shown.spent_usd)).toBe(all.spent);
    expect(micros(shown.outside_usd)).toBe(outside.spent);
    expect(shown.outside).toMatchObject([{ operation: "tasks.tryModel", entries: 1 }]);
    expect(micros(figures.cost_usd.value)).toBe(all.spent - outside.spent);
    expect(budgets).toHaveLength(12);
    for (const { used, tasks_usd, outside_usd, unlisted_usd } of budgets) {
      expect(micros(tasks_usd) + micros(outside_usd)).toBe(micros(used));
      expect(unlisted_usd).toBe(0);
    }
    const bill = await get("/v1/analytics/chargeback");
    expect(bill.outside).toEqual({ cost_usd: outside.spent / 1e6, cost_microusd: outside.spent, entries: 1 });
  });

  it("holds nothing any more of what ended, and all that is reserved of what is open", async () => {
    for (const [id, fate] of tasks) if (fate === "hangs") await app.call("POST", `/v1/tasks/${id}/cancel`);
    let limits: Row[] = [];
    const isFree = async () => {
      limits = (await get("/v1/governance/budgets/environment")).limits;
      return limits.every(({ reserved }) => reserved === 0);
    };
    await until("nothing is reserved", isFree, 40_000, () => limits);
    const { spent } = await ledger();
    for (const { used } of limits) expect(micros(used)).toBe(spent);
  }, 60_000);

  it("says nothing of the version where the provider failed", async () => {
    const { rows } = await app.pool.query<{ fate: string; n: number }>(
      "select t.input::json ->> 'fate' as fate, count(*)::int as n from trust_judgements j join tasks t on t.id = j.id where j.source = 'run' group by 1",
    );
    const judged = new Set(rows.map(({ fate }) => /^fate_(\w+?)-/.exec(fate)?.[1]));
    expect([...judged]).toEqual(["late"]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Row = any;
