import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { change, create, scheduled } from "../schedules.fixture.ts";

const app = useSharedApp();

it("pauses and resumes from the next time on, and changes what is given alone", async () => {
  const made = await scheduled(app, { note: "Daily.", schedule: "0 7 * * *", budget: { per_run_usd: 1 } });
  const paused = (await change(app, made.schedule_id, { paused: true, reason: "Holidays." })).body;
  expect(paused).toMatchObject({ next_at: null, paused: { reason: "Holidays." }, note: "Daily.", revision: 2 });
  const resumed = (await change(app, made.schedule_id, { paused: false })).body;
  expect(resumed).toMatchObject({ next_at: made.next_at, paused: null });
  const changed = (await change(app, made.schedule_id, { schedule: "0 8 * * *", budget: null })).body;
  expect(changed).toMatchObject({ note: "Daily.", budget: null, schedule: "0 8 * * *" });
  expect(changed.next_at).not.toBe(made.next_at);
});

it("refuses a change of another revision, one beyond the key's scopes, and an agent that is not deployed any more", async () => {
  const { schedule_id: id } = await scheduled(app);
  expect((await change(app, id, { note: "x" }, { headers: { "if-match": '"9-json"' } })).status).toBe(412);
  const scopes = ["agents:write", "agents:read"];
  const key = (await app.call("POST", "/v1/admin/keys", { body: { name: "narrow", role: "builder", scopes } })).body;
  expect((await change(app, id, { note: "x" }, { key: key.key })).body.code).toBe("schedule_not_possible");
  expect((await create(app, {}, { key: key.key })).body.code).toBe("schedule_not_possible");
  await app.pool.query("update agent_schedules set agent = 'gone' where id = $1", [id]);
  await app.call("POST", "/v1/agents", { body: { agent: "gone", description: "Not deployed." } });
  const gone = await app.call("PATCH", `/v1/agents/gone/schedules/${id}`, { body: { note: "x" } });
  expect(gone.body.code).toBe("agent_not_deployed");
});
