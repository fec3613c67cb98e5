import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { mostWebhooks } from "../resource.ts";

const app = useSharedApp();
const url = "http://127.0.0.1:9/hook";
const create = (body: object, options = {}) =>
  app.call("POST", "/v1/webhooks", { body: { url, events: ["task.*"], ...body }, ...options });
/** A key of a role, narrowed to agents. */
const narrowed = async (role: string, agents: string[]) =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: "narrowed", role, agents } })).body.key as string;

describe("subscribing an endpoint", () => {
  it("answers its secret once, keeps it sealed, and nobody reads it again", async () => {
    const { status, body, headers } = await create({ description: "For a test." });
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(headers.get("location")).toBe(`/v1/webhooks/${body.webhook_id}`);
    const { rows } = await app.pool.query("select secret, row_to_json(w)::text as row from webhooks w where id = $1", [
      body.webhook_id,
    ]);
    const bytes = Buffer.from(body.secret.slice("whsec_".length), "base64");
    expect(rows[0].secret.includes(bytes)).toBe(false);
    const { secret: _secret, ...rest } = body;
    expect((await app.call("GET", `/v1/webhooks/${body.webhook_id}`)).body).toEqual(rest);
    expect((await app.call("GET", "/v1/webhooks")).text).not.toContain(body.secret);
  });

  it("answers a repetition without the secret, which is not stored with the answer, and says so", async () => {
    const headers = { "idempotency-key": "one endpoint" };
    const [first, again] = [await create({}, { headers }), await create({}, { headers })];
    const { secret, ...rest } = first.body;
    expect(again.body).toEqual({ ...rest, secret_withheld: true });
    const { rows } = await app.pool.query("select answer from idempotency_keys order by id desc limit 1");
    expect(rows[0].answer.toString("latin1")).not.toContain(secret);
  });

  it("tells all faults of events and address at once, with the nearest event", async () => {
    const { status, body } = await create({ url: "ftp://example.com", events: ["task.complete", "task.*", "no.*"] });
    expect([status, body.code]).toEqual([422, "invalid_body"]);
    expect(body.errors).toMatchObject([
      { pointer: "/events/0", code: "unknown_event", detail: expect.stringContaining("`task.completed`") },
      { pointer: "/events/2", code: "unknown_event" },
      { pointer: "/url", code: "address_invalid" },
    ]);
  });

  it.each([
    ["development", "http://10.0.0.8/hook", "address_refused"],
    ["development", "http://93.184.216.34/hook", "https_required"],
    ["development", "https://169.254.169.254/latest", "address_refused"],
    ["development", "https://[::ffff:10.0.0.1]/hook", "address_refused"],
    ["staging", "https://127.0.0.1/hook", "address_refused"],
    ["staging", "https://0x7f.1/hook", "address_refused"],
    ["staging", "https://2130706433/hook", "address_refused"],
    ["staging", "http://hooks.example.com/hook", "https_required"],
    ["development", "https://user:secret@hooks.example.com/", "address_invalid"],
  ] as const)("refuses in %s an address that must not be called: %s", async (environment, where, code) => {
    const { status, body } = await create({ url: where }, { environment });
    expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, "/url", code]);
  });

  it("refuses this machine in development once an agent is live in production, and says why", async () => {
    expect((await create({})).status).toBe(201);
    await app.deploy("production");
    const { status, body } = await create({});
    expect([status, body.errors?.[0]?.code, body.detail]).toEqual([
      422,
      "https_required",
      expect.stringContaining("live in production"),
    ]);
    await app.pool.query("delete from deployments where environment = 'production'");
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
    await app.app.facts.refresh();
  });

  it("refuses a name that leads to an address that is not public", async () => {
    const { status, body } = await create({ url: "https://localhost/hook" }, { environment: "staging" });
    expect([status, body.errors?.[0]?.code]).toEqual([422, "address_refused"]);
  });

  it("binds the endpoint of a narrowed key to its agents, and lets it name no others", async () => {
    const key = await narrowed("builder", ["sales", "desk"]);
    expect((await create({}, { key })).body.agents).toEqual(["sales", "desk"]);
    expect((await create({ agents: ["desk"] }, { key })).body.agents).toEqual(["desk"]);
    const foreign = await create({ agents: ["desk", "other"] }, { key });
    expect([foreign.status, foreign.body.missing_scope]).toEqual([403, "agent:other"]);
  });

  it("never sends it events that whoever made it may not read", async () => {
    expect((await create({ events: ["*"] }, { key: "builder" })).body.withheld).toEqual(["audit.*", "key.*"]);
    expect((await create({ events: ["*"] })).body.withheld).toEqual([]);
  });

  it("answers too_many_webhooks where the environment has as many as it may have", async () => {
    const { rows } = await app.pool.query(
      "select count(*)::int as there from webhooks where environment = 'production'",
    );
    await app.pool.query(
      `insert into webhooks (organization, environment, id, url, events, format, state_since, secret, starts_after, created_by, created_at, updated_at)
       select 'default', 'production', 'whk_' || lpad(n::text, 26, '0'), 'https://hooks.example.com', '{*}', 'flat', now(), '', 0, 'test', now(), now()
       from generate_series(1, $1::int) n`,
      [mostWebhooks - rows[0].there],
    );
    const { status, body } = await create({ url: "https://hooks.invalid" }, { environment: "production" });
    expect([status, body.code]).toEqual([409, "too_many_webhooks"]);
    await app.pool.query("update webhooks set removed_at = now() where environment = 'production' and id like '%0001'");
    expect((await create({ url: "https://hooks.invalid" }, { environment: "production" })).status).toBe(201);
  });
});
