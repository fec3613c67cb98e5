import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { insertTask, judge } from "../rollups/facts.fixture.ts";
import { rollUp } from "../rollups/testing.ts";

const app = useApp();
const minute = 60_000;
const day = 24 * 60 * minute;
const now = Math.floor(Date.now() / minute) * minute;
const deployed = { version: "" };

const get = async (path: string, key?: string) => {
  const { status, body, text } = await app.call("GET", path, key === undefined ? {} : { key });
  expect(status, text).toBe(200);
  return body;
};
const listed = async (link: string): Promise<number> => (await get(`${link}&limit=100`)).data.length;
const declare = (analytics: Record<string, unknown>) =>
  app.pool.query(
    `insert into settings (organization, environment, settings, author) values ('default', 'development', $1, 'test')
     on conflict (organization, environment) do update set settings = excluded.settings`,
    [{ analytics }],
  );

/** A task that ended, dispatched some days ago. */
async function ended(daysAgo: number, row: Record<string, unknown> = {}, outcome?: number): Promise<void> {
  const at = now - daysAgo * day - 5 * minute;
  const times = { started_at: new Date(at + 1_000), finished_at: new Date(at + 11_000) };
  const spent = { status: "completed", cost_usd: 0.25, tokens: 1_000, version_id: deployed.version };
  const task = await insertTask(app.pool, at, { ...spent, ...times, ...row });
  if (outcome !== undefined) await judge(app.pool, task, outcome);
}

beforeAll(async () => {
  await declare({ labels: ["customer"] });
  const { task_id } = await app.dispatch({}, { environment: "development" });
  deployed.version = (await get(`/v1/tasks/${task_id}`)).version_id;
  const [one, two] = [await app.member("operator"), await app.member("operator")];
  const by = ({ keyId, memberId }: typeof one) => ({ key_id: keyId, principal: memberId });
  await ended(1, { labels: ["customer:acme"], ...by(one) }, 1);
  await ended(2, { labels: ["customer:acme"], ...by(one), cost_usd: 0.1234567 }, 0);
  await ended(3, { labels: ["customer:globex"], ...by(two), cost_usd: 0.5 }, 1);
  await ended(4, { key_id: null, status: "failed", failure: JSON.stringify({ code: "tool_failed" }) });
  await ended(5, { key_id: null, agent: "support", skill: "answer", labels: ["customer:acme"], cost_usd: 1 });
  await ended(40, { cost_usd: 2 });
  await rollUp(app.pool);
});

describe("figures", () => {
  it("of the overview are those of the tasks, each with the window before and a link to what it counts", async () => {
    const { figures, series, now: present, complete } = await get("/v1/analytics/overview");
    expect(figures.tasks).toMatchObject({ value: 6, previous: 1 });
    expect(figures.completed.value).toBe(4);
    expect(figures.success_rate).toMatchObject({ value: 0.8, n: 5, previous: 1 });
    expect(figures.accepted_rate).toMatchObject({ n: 3 });
    expect(figures.accepted_rate.value).toBeCloseTo(2 / 3, 6);
    expect(figures.accepted_rate.low).toBeLessThan(figures.accepted_rate.value);
    expect(figures.cost_usd.value).toBeCloseTo(2.1234567, 9);
    expect(figures.cost_usd.previous).toBe(2);
    expect(complete).toBe(false);
    expect(present).toMatchObject({ approvals: 1, questions: 0, running: 0 });
    const course = series.map(({ values }: { values: { tasks: number } }) => values.tasks);
    expect(course).toHaveLength(31);
    expect(course.reduce((sum: number, tasks: number) => sum + tasks, 0)).toBe(6);
    for (const name of ["tasks", "completed", "failed"])
      expect(await listed(figures[name].link), name).toBe(figures[name].value);
    for (const name of ["accepted_rate", "success_rate", "duration_p50"])
      expect(await listed(figures[name].link), name).toBe(figures[name].n);
  });

  it("of the overview stand beside canaries that run and alerts that fire", async () => {
    await app.pool.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, mode, share, author)
       values ('default', 'development', 'dep_1', 'sales', 1, 'canary', 'canary', 10, 'test')`,
    );
    const alert = {
      name: "Costs",
      measure: "cost_usd",
      window_minutes: 60,
      condition: { kind: "above", threshold: 5 },
    };
    const made = await app.call("POST", "/v1/analytics/alerts", { body: alert });
    expect(made.status, made.text).toBe(201);
    await app.pool.query("update analytics_alerts set state = 'firing', fired = true");
    const { canaries, alerts } = await get("/v1/analytics/overview");
    expect(canaries).toMatchObject([
      { agent: "sales", version: 1, share: 10, link: "/v1/analytics/experiments/dep_1" },
    ]);
    expect(alerts).toMatchObject([{ alert: made.body.alert_id, name: "Costs" }]);
    await get(alerts[0].link);
    expect((await get("/v1/analytics/overview?agent=support")).canaries).toEqual([]);
  });

  it.each(["label:customer", "agent", "skill", "version", "key", "member", "risk", "status", "origin"])(
    "of usage by %s link to exactly the tasks of their row",
    async (by) => {
      const { rows, figures } = await get(`/v1/analytics/usage?by=${by}`);
      const numbers = rows.map((row: { figures: typeof figures }) => row.figures.tasks.value);
      expect(numbers.reduce((sum: number, tasks: number) => sum + tasks, 0)).toBe(6);
      for (const row of rows) {
        const { link, value } = row.figures.tasks;
        if (Object.values(row.key)[0] === null) expect(link).toBeNull();
        else expect(await listed(link), link).toBe(value);
      }
    },
  );

  it("of usage have percentiles within one percent, and only as many rows as were asked for", async () => {
    const { figures, rows, more } = await get("/v1/analytics/usage?by=agent&limit=1");
    expect(Math.abs(figures.duration_p50.value / 11 - 1)).toBeLessThan(0.01);
    expect(rows).toHaveLength(1);
    expect(rows[0].key).toEqual({ agent: "sales" });
    expect(more).toBe(true);
  });

  it("of costs tell what each row cost, and that a forecast takes three whole days", async () => {
    const { rows, forecast } = await get("/v1/analytics/costs?by=label:customer&agent=sales");
    expect(rows.map(({ key }: { key: unknown }) => key)).toEqual([
      { "label:customer": "globex" },
      { "label:customer": "acme" },
      { "label:customer": null },
    ]);
    expect(rows[1].figures.cost_usd.value).toBeCloseTo(0.3734567, 9);
    expect(forecast.method).not.toBeNull();
    expect(forecast.total.low_95).toBeLessThanOrEqual(forecast.total.value);
    const none = await get("/v1/analytics/costs?label=customer:nobody");
    expect(none.forecast).toMatchObject({ method: null, total: null, days: [], learnt_from_days: 0 });
  });

  it("of an agent are told by version and skill, with the codes of its failures", async () => {
    const { figures, versions, skills, failures } = await get("/v1/analytics/agents/sales");
    expect(figures.tasks.value).toBe(5);
    expect(versions).toMatchObject([{ version: 1, live: true, version_id: deployed.version }]);
    expect(skills[0]).toMatchObject({ key: { skill: "qualify_lead" }, figures: { failed: { value: 1 } } });
    expect(failures).toMatchObject({ tasks: 1, more: false, codes: [{ code: "tool_failed", tasks: 1 }] });
    const other = await get("/v1/analytics/agents/sales?label=customer:globex");
    expect(other.failures.tasks).toBe(0);
  });

  it("of outcomes tell where tasks were lost", async () => {
    const { stages, dropped } = await get("/v1/analytics/tasks?agent=sales");
    expect(stages.map(({ tasks }: { tasks: { value: number } }) => tasks.value)).toEqual([5, 4, 3, 3, 2]);
    expect(stages[2].of_before).toBe(0.75);
    expect(dropped.map(({ before, reason, tasks }: Record<string, unknown>) => [before, reason, tasks])).toEqual([
      ["started", "open", 1],
      ["completed", "failed", 1],
      ["accepted", "not_accepted", 1],
    ]);
    expect(await listed(dropped[0].link)).toBe(1);
    expect(await listed(stages[3].tasks.link)).toBe(3);
  });

  it("of a narrowed key are those of its agents", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "n", role: "viewer", agents: ["support"] },
    });
    const { figures, now: present } = await get("/v1/analytics/overview", body.key);
    expect(figures.tasks.value).toBe(1);
    expect(present.approvals).toBe(0);
    const bill = await get("/v1/analytics/chargeback?by=agent", body.key);
    expect(bill.lines.map(({ value }: { value: string }) => value)).not.toContain("sales");
  });

  it("are refused by a label that is not declared, by the name of the parameter", async () => {
    for (const [query, parameter] of [
      ["label=team:blue", "label"],
      ["by=label:team", "by"],
    ]) {
      const { status, body } = await app.call("GET", `/v1/analytics/costs?${query}`);
      expect([status, body.errors[0]]).toMatchObject([400, { parameter, code: "unknown_dimension" }]);
    }
  });
});

describe("a bill", () => {
  const month = (at: number): string => new Date(at).toISOString().slice(0, 7);

  it("has lines of whole millionths that sum to its total, and is open while its month runs", async () => {
    const bill = await get(`/v1/analytics/chargeback?by=label:customer&month=${month(now)}&time_zone=Europe/Vienna`);
    const sum = bill.lines.reduce((total: number, line: { cost_microusd: number }) => total + line.cost_microusd, 0);
    expect(sum).toBe(bill.total.cost_microusd);
    expect(bill.complete).toBe(false);
    const past = await get(`/v1/analytics/chargeback?by=key&month=${month(now - 40 * day)}`);
    expect(past).toMatchObject({ complete: true, total: { tasks: expect.any(Number) } });
  });

  it("comes as CSV", async () => {
    const { text, headers } = await app.call("GET", `/v1/analytics/chargeback?by=agent&month=${month(now)}`, {
      headers: { accept: "text/csv" },
    });
    expect(headers.get("content-type")).toContain("text/csv");
    expect(text.split("\r\n")[0]).toBe(
      "row,month,time_zone,by,value,name,tasks,tokens,cost_usd,cost_microusd,complete",
    );
    expect(text.trimEnd().split("\r\n").slice(-2)).toEqual([
      expect.stringMatching(/^total,/),
      expect.stringMatching(/^outside_tasks,/),
    ]);
  });

  it("is refused for a month that has not begun, however far, a time zone that there is none of and a label that is not declared", async () => {
    const months = [month(now + 40 * day), "2099-12", "3396-06", "9999-12", "0000-01"].map((far) => ["month", far]);
    for (const [parameter, value] of [...months, ["time_zone", "Mars/Olympus"], ["by", "label:nosuch"]]) {
      const { status, body } = await app.call("GET", `/v1/analytics/chargeback?${parameter}=${value}`);
      expect([status, body.code, body.errors]).toMatchObject([400, "invalid_parameter", [{ parameter }]]);
    }
  });
});

it("tells of budgets only to keys that may read them", async () => {
  const limits = { limits: [{ unit: "usd", period: "month", hard: 1 }] };
  const set = await app.call("PUT", "/v1/governance/budgets/agent:sales", { body: limits });
  expect(set.status, set.text).toBeLessThan(300);
  const body = { name: "figures only", role: "admin", scopes: ["analytics:read"] };
  const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
  expect((await get("/v1/analytics/costs")).budgets).toMatchObject([{ scope: "agent:sales", limit: 1 }]);
  expect((await get("/v1/analytics/costs", key)).budgets).toEqual([]);
});

describe("value", () => {
  it("says that nothing is declared, and what accepted tasks are worth once it is", async () => {
    const none = await get("/v1/analytics/value");
    expect(none.declared).toMatchObject({ value_usd: 0, return_on_cost: null });
    expect(none.rows.every(({ value_usd }: { value_usd: null }) => value_usd === null)).toBe(true);
    expect(none.explanation).toContain("No worth of a task is declared");
    const { headers } = await app.call("GET", "/v1/admin/settings");
    const value = [{ agent: "sales", skill: "qualify_lead", minutes: 12, usd_per_hour: 50, usd: 2 }];
    const changed = await app.call("PATCH", "/v1/admin/settings", {
      body: { settings: { analytics: { value } } },
      headers: { "if-match": headers.get("etag") as string },
    });
    expect(changed.status, changed.text).toBe(200);
    const told = await get("/v1/analytics/value");
    expect(told.declared).toMatchObject({ accepted: 2, minutes_saved: 24, value_usd: 24 });
    expect(told.declared.cost_usd).toBeCloseTo(1.1234567, 9);
    expect(told.undeclared).toMatchObject({ tasks: 1, accepted: 0, cost_usd: 1 });
  });
});
