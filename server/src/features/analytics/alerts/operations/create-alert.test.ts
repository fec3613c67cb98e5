import { describe, expect, it } from "vitest";
import { alertBody } from "../../../../../test/arrangements/analytics-quality.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { mostWatched } from "../../limit.ts";

const app = useSharedApp();
const path = "/v1/analytics/alerts";
const create = (body: object = {}, options = {}) =>
  app.call("POST", path, { body: { ...alertBody, ...body }, ...options });

describe("an alert", () => {
  it("is made with its standards, changed, paused and removed", async () => {
    const { status, body, headers } = await create({
      measure: "accepted_rate",
      condition: { kind: "below", threshold: 0.8 },
    });
    expect([status, headers.get("location")]).toEqual([201, `${path}/${body.alert_id}`]);
    expect(body).toMatchObject({ state: "waiting", fired: false, window_minutes: 60, for_minutes: 0, least_n: 20 });
    const own = `${path}/${body.alert_id}`;
    const changed = await app.call("PATCH", own, {
      body: { paused: true, name: "Quiet" },
      headers: { "if-match": headers.get("etag") ?? "" },
    });
    expect(changed.body).toMatchObject({ paused: true, name: "Quiet", revision: 2, measure: "accepted_rate" });
    const stale = await app.call("PATCH", own, {
      body: { paused: false },
      headers: { "if-match": headers.get("etag") ?? "" },
    });
    expect(stale.status).toBe(412);
    expect((await app.call("DELETE", own)).body).toEqual({ alert_id: body.alert_id, removed: true });
    expect((await app.call("GET", own)).status).toBe(404);
  });

  it.each([
    [{ condition: { kind: "above", threshold: 5, clear_at: 6 } }, "/condition/clear_at", "beyond_threshold"],
    [{ measure: "tasks", condition: { kind: "below", threshold: 0 } }, "/condition/threshold", "never_met"],
    [{ measure: "accepted_rate", condition: { kind: "above", threshold: 1 } }, "/condition/threshold", "never_met"],
    [{ filters: { tool: ["crm"] } }, "/filters/tool", "unknown_dimension"],
    [{ filters: { "label:team": ["blue"] } }, "/filters/label:team", "unknown_dimension"],
    [{ notify: { members: [`mbr_${"0".repeat(26)}`] } }, "/notify/members/0", "unknown_member"],
  ])("is refused by the name of what is wrong: %j", async (body, pointer, code) => {
    const refused = await create(body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([{ pointer, code }]);
  });

  it("is not changed to a condition that no value meets", async () => {
    const { body, headers } = await create({ measure: "accepted_rate", condition: { kind: "below", threshold: 0.8 } });
    const refused = await app.call("PATCH", `${path}/${body.alert_id}`, {
      body: { condition: { kind: "below", threshold: -1 } },
      headers: { "if-match": headers.get("etag") ?? "" },
    });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: "never_met" }] } });
    await app.call("DELETE", `${path}/${body.alert_id}`);
  });

  it("watches only what its key may see, and is seen by who may see that", async () => {
    const { body: issued } = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "builder", agents: ["sales"] },
    });
    const key = issued.key;
    const own = await create({ name: "Of sales", filters: {} }, { key });
    expect(own.status).toBe(201);
    expect((await create({ filters: { agent: ["support"] } }, { key })).status).toBe(403);
    const all = await create({ name: "Of all", filters: {} });
    const seen = await app.call("GET", path, { key });
    expect(seen.body.data.map(({ name }: { name: string }) => name)).toEqual(["Of sales"]);
    expect((await app.call("GET", `${path}/${all.body.alert_id}`, { key })).status).toBe(403);
  });
});

it("is refused with too_many_alerts where the environment has as many as it may have", async () => {
  const environment = "staging";
  const [one] = await Promise.all(Array.from({ length: mostWatched }, () => create({}, { environment })));
  expect(one?.status).toBe(201);
  const { status, body } = await create({}, { environment });
  expect([status, body.code]).toEqual([409, "too_many_alerts"]);
  expect(body.detail).toBe("There are 100 alerts in staging, the most it may have; remove one first.");
  await app.call("DELETE", `${path}/${one?.body.alert_id}`, { environment });
  const more = await Promise.all([create({}, { environment }), create({}, { environment })]);
  expect(more.map((made) => made.status).sort()).toEqual([201, 409]);
});
