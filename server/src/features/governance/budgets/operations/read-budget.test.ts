import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const read = (scope: string, options = {}) => app.call("GET", `/v1/governance/budgets/${scope}`, options);

it("shows a budget with its present windows, none where none was set, and 404 for what does not exist", async () => {
  const scope = `member:${(await app.member("viewer")).memberId}`;
  expect((await read(scope)).body).toEqual({ scope, limits: [] });
  const { body: set } = await app.call("PUT", `/v1/governance/budgets/${scope}`, {
    body: { limits: [{ unit: "usd", period: "day", hard: 5 }] },
  });
  expect((await read(scope)).body.limits).toMatchObject([{ unit: "usd", hard: set.limits[0].hard, used: 0 }]);
  for (const nothing of ["agent:nobody", "sales", "agent:%00"])
    expect([nothing, (await read(nothing)).status]).toEqual([nothing, 404]);
});

it("shows a key that is narrowed to agents what its calls are charged to", async () => {
  const { body } = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "viewer", agents: ["support"] },
  });
  expect([
    (await read("environment", { key: body.key })).status,
    (await read("agent:sales", { key: body.key })).status,
  ]).toEqual([200, 403]);
});
