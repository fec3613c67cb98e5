import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestApp, type TestApp, useApp } from "../../../../testing/app.ts";
import { settingsOf } from "../../public.ts";

const app = useApp({ rateLimit: true });
const scope = { organization: "default", environment: "development" } as const;

const read = async (by: TestApp = app) => await by.call("GET", "/v1/admin/settings");
const change = async (settings: unknown, headers: Record<string, string> = {}, more = {}) =>
  app.call("PATCH", "/v1/admin/settings", {
    body: { settings, ...more },
    headers: { "if-match": (await read()).headers.get("etag") ?? "", ...headers },
  });

describe("changed settings", () => {
  it("hold at once in this process, and null brings the standard back", async () => {
    const first = await change({
      rate: { per_second: 40 },
      approvals: { high: { expires_in_seconds: 3_600, on_expiry: "escalate" } },
    });
    expect(first.status).toBe(200);
    expect(first.headers.get("etag")).toBe('"1-json"');
    expect(first.body.settings).toMatchObject({
      rate: { per_second: 40 },
      approvals: { high: { expires_in_seconds: 3_600, on_expiry: "escalate" }, low: { expires_in_seconds: null } },
    });
    expect(settingsOf({ facts: app.app.facts, scope }).approvals.high).toEqual({
      expires_in_seconds: 3_600,
      on_expiry: "escalate",
    });
    expect(
      settingsOf({ facts: app.app.facts, scope: { ...scope, environment: "staging" } }).approvals.high.on_expiry,
    ).toBe("reject");
    expect((await change({ approvals: { high: { expires_in_seconds: null } } })).body.settings.approvals.high).toEqual({
      expires_in_seconds: null,
      on_expiry: "escalate",
    });
    expect((await change({ approvals: null, rate: null })).body.settings).toMatchObject({
      rate: { per_second: 100 },
      approvals: { high: { on_expiry: "reject" } },
    });
    expect((await app.pool.query("select settings from settings")).rows).toEqual([{ settings: {} }]);
  });

  it("are not for a key that is narrowed to agents: they concern all", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "admin", agents: ["sales"] },
    });
    const headers = { "if-match": (await read()).headers.get("etag") ?? "" };
    const settings = { approvals: { low: { expires_in_seconds: 60 } } };
    const refused = await app.call("PATCH", "/v1/admin/settings", { key: body.key, headers, body: { settings } });
    expect(refused).toMatchObject({ status: 403, body: { code: "insufficient_scope", missing_scope: "agent:*" } });
    expect((await read()).body.settings.approvals.low.expires_in_seconds).toBeNull();
  });

  it("keep their revision where nothing changes", async () => {
    const { body } = await change({ rate: { per_second: 60 } });
    expect((await change({ rate: { per_second: 60 } })).body.revision).toBe(body.revision);
    expect((await change({})).body.revision).toBe(body.revision);
  });

  it("are named in the call's audit record", async () => {
    const { headers } = await change({ rate: { per_second: 61 }, approvals: { low: { expires_in_seconds: 600 } } });
    const { body } = await app.call("GET", `/v1/audit/events/${headers.get("audit-ref")}`);
    const compliance = body.stages.find(({ stage }: { stage: string }) => stage === "compliance");
    expect(compliance.reasons).toContain("changed: approvals.low.expires_in_seconds, rate.per_second");
    await change({ approvals: null, rate: null });
  });

  it("are refused on an old revision, also where two calls change the same one at once", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    const both = await Promise.all(
      [31, 32].map((per_second) => change({ rate: { per_second } }, { "if-match": etag })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await change({ rate: null }, { "if-match": etag })).body.code).toBe("stale_revision");
    const without = await app.call("PATCH", "/v1/admin/settings", { body: { settings: {} } });
    expect(without.body.code).toBe("precondition_required");
  });

  it("are refused with the places that make no sense", async () => {
    const pointers = async (settings: unknown, more = {}) =>
      (await change(settings, {}, more)).body.errors.map(
        ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
      );
    expect(await pointers({}, { limits: { json_depth: 64 } })).toEqual(["/limits not_changeable"]);
    expect((await pointers({ rate: { per_second: 0 } }))[0]).toContain("/settings/rate");
    expect((await pointers({ colour: "red" }))[0]).toContain("/settings/colour");
    expect((await pointers({ approvals: { high: { on_expiry: "approve" } } })).join()).toContain(
      "/settings/approvals/high",
    );
  });
});

describe("the rate of an environment", () => {
  let other: TestApp;
  beforeAll(async () => {
    other = await startTestApp({ connectionString: app.connectionString, rateLimit: true });
  });
  afterAll(() => other?.close());

  it("holds in another process within a second, for keys that have none of their own", async () => {
    const own = (
      await app.call("POST", "/v1/admin/keys", { body: { name: "own rate", role: "viewer", rate_per_second: 9 } })
    ).body.key;
    const quota = async (key: string) =>
      (await other.call("GET", "/v1/admin/whoami", { key })).headers.get("ratelimit-policy");
    const viewer = app.key("viewer");
    await vi.waitFor(async () => expect(await quota(own)).toContain("q=9"), { timeout: 2_000 });
    expect((await change({ rate: { per_second: 3 } })).status).toBe(200);
    const changed = performance.now();
    await vi.waitFor(async () => expect(await quota(viewer)).toContain("q=3"), { timeout: 3_000, interval: 20 });
    expect(performance.now() - changed).toBeLessThan(1_500);
    expect(await quota(own)).toContain("q=9");
    expect((await change({ rate: null })).status).toBe(200);
    await vi.waitFor(async () => expect(await quota(viewer)).toContain("q=100"), { timeout: 3_000, interval: 20 });
  });
});

it("lets a policy keep the settings from being changed", async () => {
  await app.policy({ scope: { actions: ["settings.change"] }, when: "true", effect: "deny" });
  expect((await change({ rate: null })).body.code).toBe("policy_blocked");
});
