import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const url = "http://127.0.0.1:9/hook";
const created = async (body: object = {}, options = {}) =>
  (await app.call("POST", "/v1/webhooks", { body: { url, events: ["*"], ...body }, ...options })).body
    .webhook_id as string;
const change = (id: string, body: object, options = {}) =>
  app.call("PATCH", `/v1/webhooks/${id}`, { body, ...options });

describe("changing an endpoint", () => {
  it("changes what is named and nothing else", async () => {
    const id = await created({ description: "Before." });
    const before = (await app.call("GET", `/v1/webhooks/${id}`)).body;
    const { status, body } = await change(id, {
      events: ["task.completed"],
      agents: ["sales"],
      risks: ["high"],
      format: "standard",
      rate_per_second: 5,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      events: ["task.completed"],
      agents: ["sales"],
      risks: ["high"],
      format: "standard",
      rate_per_second: 5,
      updated_at: body.updated_at,
    });
    expect((await change(id, { agents: null, risks: null, rate_per_second: null })).body).toMatchObject({
      agents: null,
      risks: null,
      rate_per_second: null,
    });
  });

  it("pauses and enables, and remembers since when something was missed", async () => {
    const id = await created();
    const paused = (await change(id, { state: "paused" })).body;
    expect(paused).toMatchObject({ state: "paused", disabled_reason: null, missed_since: paused.state_since });
    expect((await change(id, { state: "enabled" })).body).toMatchObject({
      state: "enabled",
      missed_since: paused.missed_since,
    });
  });

  it("forgets the failures of an address that it leaves, and of no other", async () => {
    const id = await created();
    await app.pool.query(
      "insert into webhook_health (organization, environment, webhook_id, failing_since) values ('default', 'development', $1, now() - interval '4 days')",
      [id],
    );
    const failingSince = async (body: object) => (await change(id, body)).body.health.failing_since;
    const since = await failingSince({ description: "Looked at." });
    expect(since).toEqual(expect.any(String));
    expect([await failingSince({ url }), await failingSince({ url: `${url}/moved` })]).toEqual([since, null]);
  });

  it("withholds from then on what whoever sets the address or the events may not read", async () => {
    const id = await created();
    expect((await change(id, { description: "Looked at." }, { key: "builder" })).body.withheld).toEqual([]);
    expect((await change(id, { url: `${url}/other` }, { key: "builder" })).body.withheld).toEqual(["audit.*", "key.*"]);
    expect((await change(id, { events: ["*"] })).body.withheld).toEqual([]);
  });

  it("refuses an address that must not be called, and events that are none", async () => {
    const id = await created();
    const { status, body } = await change(id, { url: "https://10.0.0.1", events: ["task.completd"] });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ["/events/0", "/url"],
    ]);
    expect((await change(id, { url: "https://localhost.invalid.local" })).status).toBe(200); // nobody knows it yet: each connection is checked
  });

  it("is refused to a key that is narrowed to agents where the endpoint is bound to others, or to none", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrowed", role: "builder", agents: ["sales"] },
    });
    const [all, own, foreign] = [
      await created(),
      await created({ agents: ["sales"] }),
      await created({ agents: ["desk"] }),
    ];
    const statuses = await Promise.all(
      [all, own, foreign].map(async (id) => (await change(id, { description: "Mine." }, { key: body.key })).status),
    );
    expect(statuses).toEqual([403, 200, 403]);
    expect((await change(own, { agents: null }, { key: body.key })).body.agents).toEqual(["sales"]);
    const listed = (await app.call("GET", "/v1/webhooks", { key: body.key })).body.data;
    expect(listed.map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual([own]);
    expect((await app.call("GET", `/v1/webhooks/${foreign}/deliveries`, { key: body.key })).status).toBe(403);
  });
});

describe("removing an endpoint", () => {
  it("destroys its secret, cancels nothing that happened, and it is gone", async () => {
    const id = await created();
    const removed = await app.call("DELETE", `/v1/webhooks/${id}`, { body: {} });
    expect(removed.body).toEqual({ webhook_id: id, removed: true });
    expect((await app.call("GET", `/v1/webhooks/${id}`)).status).toBe(404);
    expect((await app.pool.query("select length(secret) as bytes from webhooks where id = $1", [id])).rows).toEqual([
      { bytes: 0 },
    ]);
  });
});

describe("an endpoint that is not enabled", () => {
  it.each(["test", "recover"])("answers wrong_state to %s", async (verb) => {
    const id = await created();
    await change(id, { state: "paused" });
    const { status, body } = await app.call("POST", `/v1/webhooks/${id}/${verb}`, { body: {} });
    expect([status, body.code]).toEqual([409, "wrong_state"]);
  });

  it("answers wrong_state to a retry", async () => {
    const id = await created();
    const { delivery_id } = (await app.call("POST", `/v1/webhooks/${id}/test`, { body: {} })).body;
    await change(id, { state: "paused" });
    const { status, body } = await app.call("POST", `/v1/webhooks/${id}/deliveries/${delivery_id}/retry`, { body: {} });
    expect([status, body.code]).toEqual([409, "wrong_state"]);
  });
});

describe("recovery", () => {
  it("needs a time where nothing is known to be missed", async () => {
    const { status, body } = await app.call("POST", `/v1/webhooks/${await created()}/recover`, { body: {} });
    expect([status, body.errors[0]]).toEqual([422, expect.objectContaining({ pointer: "/since", code: "required" })]);
  });
});
