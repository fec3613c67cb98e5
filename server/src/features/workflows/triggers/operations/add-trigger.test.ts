import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { add, created, publish, published, republish, triggersOf } from "../triggers.fixture.ts";

const app = useSharedApp();
const nightly = { schedule: "30 2 * * *", time_zone: "Europe/Vienna" };

it("an added trigger acts as who added it, is due by its schedule, and stays when another version is published", async () => {
  const name = await created(app);
  const { status, body, text } = await add(app, name, nightly);
  expect(status, text).toBe(201);
  expect(body).toMatchObject({ kind: "schedule", origin: "added", active: false, definition: nightly });
  expect(new Date(body.next_at).getTime()).toBeGreaterThan(Date.now());
  await publish(app, name);
  expect(await triggersOf(app, name)).toEqual([{ ...body, active: true }]);
});

it("triggers of a version follow the live one; what stays the same keeps its id and when it is due", async () => {
  const name = await published(app, { triggers: [nightly, { id: "hear", event: "task.completed" }] });
  // Those of one version have no order among them.
  const byKind = async (): Promise<Record<string, { trigger_id: string }>> =>
    Object.fromEntries((await triggersOf(app, name)).map((one: { kind: string }) => [one.kind, one]));
  const before = await byKind();
  expect(Object.keys(before).sort()).toEqual(["event", "schedule"]);
  await republish(app, name, { triggers: [{ id: "hear", event: "task.failed" }, nightly, { hook: "orders" }] });
  const { schedule, event, hook } = await byKind();
  expect(schedule).toEqual(before.schedule);
  expect(event).toMatchObject({ trigger_id: before.event?.trigger_id, definition: { event: "task.failed" } });
  expect(hook).toMatchObject({ definition: { hook: "orders" } });
  await app.call("DELETE", `/v1/workflows/${name}`, { body: { reason: "done" } });
  expect(await triggersOf(app, name)).toEqual([]);
});

it("names what is wrong with a schedule, an expression, or the input that it gives", async () => {
  const input = { type: "object", required: ["order"], properties: { order: { type: "string" } } };
  const name = await created(app, { input });
  const faults = async (definition: object) => (await add(app, name, definition as never)).body.errors?.[0];
  expect(await faults({ schedule: "61 * * * *" })).toMatchObject({ pointer: "/definition/schedule", code: "not_cron" });
  expect(await faults({ event: "order.new", where: "event.amount >" })).toMatchObject({
    pointer: "/definition/where",
    code: "syntax_error",
  });
  expect(await faults({ event: "order.new", map: {} })).toMatchObject({ pointer: "/definition/map", code: "missing" });
});

it("trigger_not_possible: a service account without a role here, or one that may do more than the caller", async () => {
  const name = await created(app);
  const issue = (account: string, role: string) =>
    app.call("POST", "/v1/admin/keys", { body: { name: "k", role, for: { service_account: account } } });
  await issue("runner", "operator");
  await issue("ruler", "admin");
  const as = (account: string, key: "builder" | "admin") => add(app, name, { ...nightly, as: account }, { key });
  expect((await as("runner", "builder")).status).toBe(201);
  const unknown = await as("nobody", "admin");
  expect([unknown.status, unknown.body.code, unknown.body.errors[0].code]).toEqual([
    409,
    "trigger_not_possible",
    "unknown_account",
  ]);
  expect((await as("ruler", "builder")).body.errors[0].code).toBe("exceeds_caller");
});

it("trigger_not_possible: a key whose scopes leave out what its runs would do", async () => {
  const key = async (...scopes: string[]): Promise<string> =>
    (await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "admin", scopes } })).body.key;
  const writes = await key("workflows:read", "workflows:write");
  const runs = await key("workflows:read", "workflows:write", "workflows:run");
  const tries = async (bearer: string, definition: object) =>
    (await add(app, await created(app), definition as never, { key: bearer })).body.errors?.[0].code;
  expect(await tries(writes, nightly)).toBe("exceeds_caller");
  expect(await tries(runs, nightly)).toBeUndefined();
  expect(await tries(runs, { event: "key.revoked" })).toBe("exceeds_caller");
  const name = await created(app, { triggers: [nightly] });
  const refused = await app.call("POST", `/v1/workflows/${name}/publish`, { key: writes, body: {} });
  expect([refused.status, refused.body.code]).toEqual([409, "trigger_not_possible"]);
});
