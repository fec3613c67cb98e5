import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { budgetFacts } from "../facts.ts";

const app = useApp();

const put = (scope: string, limits: unknown, options = {}) =>
  app.call("PUT", `/v1/governance/budgets/${scope}`, { body: { limits }, ...options });
const read = (scope: string, options = {}) => app.call("GET", `/v1/governance/budgets/${scope}`, options);
const aDay = (hard: number, more = {}) => [{ unit: "tasks", period: "day", hard, ...more }];

describe("a budget that is set", () => {
  it("is answered with its windows, and holds in this process at once", async () => {
    const { status, body } = await put("agent:sales", [
      { unit: "usd", period: "month", hard: 0.5, warn: 0.25 },
      { unit: "tokens", period: "hour", warn: 1_000 },
      { unit: "steps", period: "total", hard: 7 },
    ]);
    expect(status).toBe(200);
    expect(body.scope).toBe("agent:sales");
    expect(body.limits).toMatchObject([
      { unit: "usd", period: "month", hard: 0.5, warn: 0.25, used: 0, reserved: 0, available: 0.5, state: "ok" },
      { unit: "tokens", period: "hour", hard: null, warn: 1_000, available: null, state: "ok" },
      { unit: "steps", period: "total", hard: 7, warn: null, available: 7, forecast: null, window: { to: null } },
    ]);
    const [month, hour, total] = body.limits.map(({ window }: { window: { from: string; to: string } }) => window);
    expect(month.from).toMatch(/-01T00:00:00\.000Z$/);
    expect(Date.parse(hour.to) - Date.parse(hour.from)).toBe(3_600_000);
    expect(Date.now() - Date.parse(total.from)).toBeLessThan(60_000);
    const known = app.app.facts.get(budgetFacts).limits.filter(({ scope }) => scope === "agent:sales");
    expect(known).toMatchObject([
      { unit: "steps", hard: 7 },
      { unit: "tokens", warn: 1_000 },
      { unit: "usd", hard: 500_000 },
    ]);
  });

  it("takes the place of all limits that the scope had; what stays keeps what was used, and none removes the budget", async () => {
    await put("environment", [...aDay(10), { unit: "steps", period: "day", hard: 5 }]);
    await app.pool.query("update budget_use set used = 4 where scope = 'environment' and unit = 'tasks'");
    const { body } = await put("environment", aDay(20, { warn: 4 }));
    expect(body.limits).toMatchObject([{ unit: "tasks", hard: 20, used: 4, available: 16, state: "warning" }]);
    expect((await put("environment", [])).body).toEqual({ scope: "environment", limits: [] });
    expect(
      (await app.call("GET", "/v1/governance/budgets")).body.data.map(({ scope }: { scope: string }) => scope),
    ).not.toContain("environment");
    expect((await put("environment", aDay(20))).body.limits).toMatchObject([{ used: 4 }]);
    await put("environment", []);
  });

  it("concerns no more than the agents that a key is narrowed to", async () => {
    const { body: issued } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "admin", agents: ["sales"] },
    });
    const { memberId } = await app.member("viewer");
    for (const scope of ["environment", `key:${issued.key_id}`, `member:${memberId}`]) {
      const { status, body } = await put(scope, aDay(1), { key: issued.key });
      expect([status, body.code, body.missing_scope], scope).toEqual([403, "insufficient_scope", "agent:*"]);
    }
    expect((await put("agent:sales", aDay(10_000), { key: issued.key })).status).toBe(200);
    await put("agent:sales", []);
  });

  it("starts from what the tasks of its scope have used in the present window already", async () => {
    await app.deploy("staging");
    const staging = { environment: "staging" } as const;
    const { memberId, keyId, secret } = await app.member("operator", "staging");
    for (let i = 0; i < 2; i++) await app.dispatch({}, { key: secret });
    const { task_id } = await app.dispatch({}, staging);
    await app.pool.query("update tasks set tokens = 40 where id = $1", [task_id]);
    const charged = (id: string, spent: number, counted: boolean) =>
      app.pool.query(
        `insert into ledger_entries (organization, environment, id, at, operation, agent, principal, task_id, reserved, spent, released, counted)
         values ('default', 'staging', $1, now(), 'tasks.callModel', 'sales', 'mbr_1', $2, $3, $3, 0, $4)`,
        [id, task_id, spent, counted],
      );
    await charged("aud_1", 125_000, true);
    await app.pool.query(
      `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, verdict)
       select 'default', 'staging', $2 || number, $1, 1, number, kind, 'crm', 'finished', '{}', verdict
       from (values (1, 'model', null), (2, 'tool', 'allow'), (3, 'tool', 'deny')) as step(number, kind, verdict)`,
      [task_id, task_id.replace("tsk", "stp").slice(0, -1)],
    );
    const used = async (scope: string, unit: string) =>
      (await put(scope, [{ unit, period: "month", hard: 9_000 }], staging)).body.limits[0].used;
    expect(await used("agent:sales", "tasks")).toBe(3);
    expect(await used("agent:sales", "usd")).toBe(0.125);
    await charged("aud_2", 5_000, false);
    expect(await used("environment", "usd"), "what is not counted yet is added once it is").toBe(0.125);
    await app.pool.query("select count_ledger_entries(100)");
    for (const scope of ["environment", "agent:sales"])
      expect((await read(scope, staging)).body.limits).toContainEqual(expect.objectContaining({ used: 0.13 }));
    expect(await used("environment", "tokens")).toBe(40);
    expect(await used("agent:sales", "steps"), "turns and calls, but not what was denied").toBe(2);
    expect(await used(`key:${keyId}`, "tasks")).toBe(2);
    expect(await used(`member:${memberId}`, "tasks")).toBe(2);
    expect((await put("agent:sales", [{ unit: "tasks", period: "total", hard: 9 }], staging)).body.limits[0].used).toBe(
      0,
    );
  });

  it("warns again, and tells again when it is used up, once its levels were raised above what is used", async () => {
    const marked = async () =>
      (
        await app.pool.query(
          "select warned_at is not null as warned, exhausted_at is not null as told from budget_use where scope = 'agent:sales' and unit = 'tasks' and period = 'day' and environment = 'development'",
        )
      ).rows[0];
    await put("agent:sales", aDay(10, { warn: 5 }));
    await app.pool.query(
      "update budget_use set used = 10, warned_at = now(), exhausted_at = now() where scope = 'agent:sales' and unit = 'tasks' and period = 'day'",
    );
    await put("agent:sales", aDay(20, { warn: 5 }));
    expect(await marked()).toEqual({ warned: true, told: false });
    await put("agent:sales", aDay(20, { warn: 15 }));
    expect(await marked()).toEqual({ warned: false, told: false });
  });
});

describe("a budget", () => {
  it("is for something that exists: anything else is 422 with the nearest name, unless an agent is to come later", async () => {
    const { keyId, memberId } = await app.member("viewer");
    for (const scope of ["environment", "agent:sales", `key:${keyId}`, `member:${memberId}`]) {
      expect([scope, (await put(scope, [])).status]).toEqual([scope, 200]);
    }
    for (const scope of ["agent:", "sales", "environment:", "tool:crm"]) {
      expect([scope, (await put(scope, aDay(1))).body.code]).toEqual([scope, "not_found"]);
    }
    for (const scope of ["agent:nobody", "key:sales", `key:${memberId}`, "member:me"]) {
      expect([scope, (await put(scope, aDay(1))).body.code]).toEqual([scope, "unknown_budget_scope"]);
    }
    const near = await put("agent:sale", aDay(1));
    expect([near.status, near.body.errors]).toEqual([
      422,
      [{ parameter: "scope", code: "unknown_agent", detail: expect.stringContaining("did you mean agent:sales?") }],
    ]);
    const body = { limits: aDay(1), allow_unknown: true };
    const later = await app.call("PUT", "/v1/governance/budgets/agent:later", { body });
    expect([later.status, later.body.limits.length]).toEqual([200, 1]);
    expect((await put("agent:later", aDay(2))).status).toBe(200);
    expect((await put("agent:later", [])).body).toEqual({ scope: "agent:later", limits: [] });
    const environment = await app.call("PUT", "/v1/governance/budgets/environment", { body });
    expect(environment.body.errors[0].pointer).toBe("/allow_unknown");
    const other = await put(`key:${keyId}`, aDay(1), { environment: "staging" });
    expect(other.body.errors[0].code).toBe("unknown_key"); // keys belong to an environment
  });

  it("says at which places it makes no sense", async () => {
    const { status, body } = await put("agent:sales", [
      { unit: "usd", period: "day", hard: 1, warn: 2 },
      { unit: "tasks", period: "day" },
      { unit: "tasks", period: "day", hard: 1.5 },
      { unit: "steps", period: "week", hard: -1 },
    ]);
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).toEqual(
      expect.arrayContaining([
        "/limits/0/warn beyond_hard",
        "/limits/1 no_level",
        "/limits/2 limit_twice",
        "/limits/2/hard not_whole",
      ]),
    );
    expect(body.errors.some(({ pointer }: { pointer: string }) => pointer === "/limits/3/period")).toBe(true);
    for (const limits of [undefined, "all", [null], [7], [[]], { unit: "usd" }]) {
      expect([limits, (await put("agent:sales", limits)).body.code]).toEqual([limits, "invalid_body"]);
    }
    const many = await put(
      "agent:sales",
      Array.from({ length: 17 }, () => ({ unit: "usd", period: "day", hard: 1 })),
    );
    expect(many.body.code).toBe("invalid_body");
  });
});
