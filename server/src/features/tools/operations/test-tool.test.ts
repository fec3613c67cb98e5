import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { newDraft } from "../../agents/tools/tools.fixture.ts";
import { writing } from "../tools.fixture.ts";

const app = useSharedApp();
const test = (agent: string, tool: string, body: object, options = {}) =>
  app.call("POST", `/v1/agents/${agent}/tools/${tool}/test`, { body, ...options });

it("really reads, under policies, and makes no task", async () => {
  const count = async () => (await app.pool.query("select count(*)::int as n from tasks")).rows[0].n;
  const before = await count();
  const { status, body, text } = await test("sales", "get_lead", {
    arguments: { lead_id: "ld_1001" },
    version: "live",
  });
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ called: true, skill: "qualify_lead", output: { base: "leads" }, failure: null });
  expect(await count()).toBe(before);
  const missing = await test("sales", "get_lead", { arguments: { lead_id: "ld_none" } });
  expect(missing.body.failure.code).toBe("record_not_found");
  await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "looked at", mode: "cancel" } });
  const held = (await test("sales", "get_lead", { arguments: { lead_id: "ld_1001" } })).body;
  await app.call("POST", "/v1/agents/sales/resume", { body: {} });
  expect(held).toMatchObject({ called: false, permission: "held" });
});

it("sends what reads with its connection's secret and shows only its name; what writes is shown alone", async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.setHeader("content-type", "application/json").end('{"found":true}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = { name: "crm", kind: "http", base_url: origin, secret: "s3cret", auth: { scheme: "bearer" } };
  await app.call("POST", "/v1/admin/connections", { body: connection });
  const find = { ...writing, name: "find", effect: "read", request: { method: "GET", url: `${origin}/n/{id}` } };
  const write = { ...writing, request: { ...writing.request, url: `${origin}/notes/{id}` } };
  const { agent } = await newDraft(app, [find, write]);
  const args = { id: "a b", text: "Hello" };
  const read = await test(agent, "find", { arguments: args });
  const written = await test(agent, "send", { arguments: args });
  server.close();
  expect(seen).toEqual(["GET /n/a%20b Bearer s3cret"]);
  expect(read.body).toMatchObject({ called: true, output: expect.objectContaining({ found: true }) });
  expect(written.body).toMatchObject({
    called: false,
    permission: "allowed",
    failure: null,
    request: { method: "POST", url: `${origin}/notes/a%20b`, body: '{"text":"Hello"}' },
    why_not: expect.stringContaining("writes"),
  });
  expect(written.body.request.headers.authorization).toBe("(of the connection crm)");
  expect(`${read.text}${written.text}`).not.toContain("s3cret");
});

it("calls nothing of a draft where approvals are strict, and refuses unknown tools, skills, versions and arguments", async () => {
  const { agent } = await newDraft(app);
  const staging = await test(agent, "look", { arguments: { lead_id: "x" } }, { environment: "staging" });
  expect(staging.body).toMatchObject({ called: false, why_not: expect.stringContaining("live version") });
  expect((await test(agent, "lok", {})).status).toBe(404);
  expect((await test(agent, "look", { skill: "other" })).body.errors[0].pointer).toBe("/skill");
  expect((await test(agent, "look", { version: "7" })).body.code).toBe("no_version");
  expect((await test(agent, "look", { version: "live" })).body.code).toBe("agent_not_deployed");
  expect((await test(agent, "look", { arguments: { lead_id: 7 } })).body.errors[0].pointer).toBe("/arguments/lead_id");
});

it("is refused where the agent's budget has nothing left", async () => {
  const set = (limits: readonly object[]) =>
    app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
  await set([{ unit: "steps", period: "total", hard: 0 }]);
  const { body } = await test("sales", "get_lead", { arguments: { lead_id: "ld_1001" } });
  await set([]);
  expect(body).toMatchObject({ code: "budget_exhausted", budget: { scope: "agent:sales", unit: "steps" } });
});
