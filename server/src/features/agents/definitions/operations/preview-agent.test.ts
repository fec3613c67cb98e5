import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp({ role: "all" }); // a worker in the same process runs skills as well
const preview = (agent: string, body: object, options = {}) =>
  app.call("POST", `/v1/agents/${agent}/preview`, { body, ...options });
const lead = { task: "qualify_lead", input: { lead_id: "ld_1001" } };

it("runs the draft outside of tasks with its reading tools, and stores nothing", async () => {
  const { status, body } = await preview("sales", lead);
  expect([status, body.version, body.failure]).toEqual([200, null, null]);
  expect(body.calls[0]).toMatchObject({ tool: "get_lead", outcome: "read", result: expect.any(Object) });
  expect(body.steps).toBeGreaterThan(1);
  const { rows } = await app.pool.query(
    "select (select count(*)::int from tasks) + (select count(*)::int from steps) as n",
  );
  expect(rows).toEqual([{ n: 0 }]);
});

it("runs a version with fixtures in the place of tools, and calls none without a fixture if so told", async () => {
  const found = { id: "ld_1001", company: "Fixture Ltd" };
  const stubbed = await preview("sales", { ...lead, version: 1, fixtures: { get_lead: found } });
  expect(stubbed.body).toMatchObject({ version: 1, calls: [{ outcome: "fixture", result: found }] });
  const none = await preview("sales", { ...lead, version: 1, reads: "fixtures" });
  expect(none.body.calls[0].outcome).toBe("withheld");
  expect(none.body.findings).toContainEqual(expect.objectContaining({ code: "calls_withheld" }));
});

it("calls tools of the live version only where approvals are strict", async () => {
  await app.deploy("staging");
  const outcome = async (body: object) =>
    (await preview("sales", body, { environment: "staging" })).body.calls[0].outcome;
  expect(await outcome(lead)).toBe("withheld");
  expect(await outcome({ ...lead, version: 1 })).not.toBe("withheld");
});

it("is refused what policies deny the model or a tool", async () => {
  await app.policy({ scope: { actions: ["tool.call"] }, when: "true", effect: "deny", message: "No tools today." });
  const { body } = await preview("sales", lead);
  expect(body.calls[0]).toMatchObject({ outcome: "refused", result: { code: "policy_blocked" } });
});

it("names what does not fit: an unknown skill, an input that breaks its schema, an unknown version with no_version", async () => {
  const errors = async (body: object) => (await preview("sales", body)).body.errors[0];
  expect(await errors({ ...lead, task: "qualify_leads" })).toMatchObject({ pointer: "/task", code: "unknown_skill" });
  expect(await errors({ ...lead, input: { lead_id: 7 } })).toMatchObject({ pointer: "/input/lead_id" });
  expect((await preview("sales", { ...lead, version: 9 })).body).toMatchObject({ status: 409, code: "no_version" });
});

it("spends the budgets of the caller's key and member as well", async () => {
  const { secret: key, keyId, memberId } = await app.member("builder");
  for (const [scope, hard] of [
    [`key:${keyId}`, 1],
    [`member:${memberId}`, 0],
  ] as const) {
    const set = (limits: object[]) => app.call("PUT", `/v1/governance/budgets/${scope}`, { body: { limits } });
    await set([{ unit: "steps", period: "day", hard }]);
    const { body } = await preview("sales", { ...lead, reads: "fixtures" }, { key });
    expect([scope, body.failure?.code]).toEqual([scope, "budget_exhausted"]);
    await set([]);
  }
});
