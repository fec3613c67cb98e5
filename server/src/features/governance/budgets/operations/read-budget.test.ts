import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const read = (scope: string, options = {}) => app.call("GET", `/v1/governance/budgets/${scope}`, options);

it("shows a budget with its present windows, none where none was set, and 404 for what does not exist", async () => {
  expect((await read("agent:sales")).body).toEqual({ scope: "agent:sales", limits: [] });
  const { body: set } = await app.call("PUT", "/v1/governance/budgets/agent:sales", {
    body: { limits: [{ unit: "usd", period: "day", hard: 5 }] },
  });
  expect((await read("agent:sales")).body.limits).toMatchObject([{ unit: "usd", hard: set.limits[0].hard, used: 0 }]);
  for (const scope of ["agent:nobody", "sales", "agent:%00"])
    expect([scope, (await read(scope)).status]).toEqual([scope, 404]);
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
