import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

const put = (scope: string, limits: unknown, options = {}) =>
  app.call("PUT", `/v1/governance/budgets/${scope}`, { body: { limits }, ...options });
const list = async (query = "", options = {}) =>
  (await app.call("GET", `/v1/governance/budgets${query}`, options)).body;
const scopesOf = (page: { data: { scope: string }[] }) => page.data.map(({ scope }) => scope);
const aDay = [{ unit: "tasks", period: "day", hard: 100, warn: 50 }];

it("lists the budgets of the environment in the order of their scopes, page by page", async () => {
  const { keyId, memberId } = await app.member("operator");
  const scopes = ["agent:sales", "environment", `key:${keyId}`, `member:${memberId}`];
  for (const scope of scopes.toReversed()) await put(scope, aDay);
  expect(scopesOf(await list())).toEqual(scopes);
  const first = await list("?limit=3");
  expect([scopesOf(first), first.has_more]).toEqual([scopes.slice(0, 3), true]);
  const second = await list(`?limit=3&cursor=${first.next_cursor}`);
  expect([scopesOf(second), second.has_more]).toEqual([scopes.slice(3), false]);
  expect(scopesOf(await list("", { environment: "production" }))).toEqual([]);
});

it("shows what is used, reserved and left of each limit, in money as in pieces, and how it stands", async () => {
  const limits = [{ unit: "usd", period: "month", hard: 2, warn: 1 }, ...aDay];
  await put("agent:sales", limits);
  await app.pool.query(
    "update budget_use set used = 1250000, granted = 250000 where scope = 'agent:sales' and unit = 'usd'",
  );
  await app.pool.query("update budget_use set used = 100, granted = 0 where scope = 'agent:sales' and unit = 'tasks'");
  const budget = (await list()).data.find(({ scope }: { scope: string }) => scope === "agent:sales");
  expect(budget.limits).toMatchObject([
    { unit: "usd", used: 1.25, reserved: 0.25, available: 0.5, state: "warning" },
    { unit: "tasks", used: 100, reserved: 0, available: 0, state: "exhausted" },
  ]);
  const { window, forecast } = budget.limits[1];
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const expected = (100 * (to - from)) / (Date.now() - from);
  if (Date.now() - from < (to - from) / 10) expect(forecast).toBeNull();
  else expect(Math.abs(forecast - expected)).toBeLessThan(expected / 100 + 1);
});

it("shows a key that is narrowed to agents theirs, its own, and that of the environment", async () => {
  const issued = (
    await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "viewer", agents: ["support"] } })
  ).body;
  for (const scope of ["agent:sales", "environment", `key:${issued.key_id}`]) await put(scope, aDay);
  expect(scopesOf(await list("", { key: issued.key }))).toEqual(["environment", `key:${issued.key_id}`]);
});

it("says when a limit was last changed", async () => {
  const changed = async (hard: number) =>
    (await put("environment", [{ unit: "steps", period: "hour", hard }, ...aDay])).body.limits.map(
      ({ updated_at }: { updated_at: string }) => updated_at,
    );
  const first = await changed(5);
  const second = await changed(6);
  expect(second[0]).toBe(first[0]);
  expect(second[1] > first[1]).toBe(true);
});
