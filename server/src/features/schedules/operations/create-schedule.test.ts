import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { create, scheduled } from "../schedules.fixture.ts";

const app = useSharedApp();
const faults = async (body: object) =>
  (await create(app, body)).body.errors.map(
    ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
  );

it("shows the next times in the schedule's time zone, daylight saving included", async () => {
  const { next_times: times } = await scheduled(app, { schedule: "30 2 * * *", time_zone: "Europe/Vienna" });
  expect(times).toHaveLength(5);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Vienna", timeStyle: "short" });
  expect(times.map((time: string) => clock.format(new Date(time)))).toEqual(Array(5).fill("02:30"));
});

it("checks times, skill and input before anything is stored", async () => {
  expect(await faults({ schedule: "61 * * * *" })).toEqual(["/schedule not_cron"]);
  expect(await faults({ schedule: "0 0 31 2 *" })).toEqual(["/schedule never"]);
  expect(await faults({ time_zone: "Mars/Olympus" })).toEqual(["/time_zone unknown_time_zone"]);
  expect(await faults({ task: "qualify_leed" })).toEqual(["/task unknown_task"]);
  expect(await faults({ input: { lead_id: "x" } })).toEqual([expect.stringContaining("/input/lead_id")]);
  expect(await faults({ input: {} })).toEqual([expect.stringContaining("/input/lead_id")]);
});

it("refuses an agent that is not deployed here, an account beyond the caller, and more than 50", async () => {
  await app.call("POST", "/v1/agents", { body: { agent: "undeployed", description: "Not yet." } });
  const body = { task: "x", schedule: "0 7 * * *" };
  const elsewhere = await app.call("POST", "/v1/agents/undeployed/schedules", { body });
  expect(elsewhere.body.code).toBe("agent_not_deployed");
  const unknown = await create(app, { as: "nobody" });
  expect(unknown.body).toMatchObject({
    code: "schedule_not_possible",
    errors: [{ pointer: "/as", code: "unknown_account" }],
  });
  await app.pool.query(
    `insert into agent_schedules (organization, environment, id, agent, definition, principal, author, created_at, updated_at)
     select 'default', 'development', 'sch_' || n, 'sales', '{}', 'x', 'x', now(), now() from generate_series(1, 50) n`,
  );
  const beyond = await create(app, {});
  await app.pool.query("delete from agent_schedules");
  expect(beyond.body).toMatchObject({ code: "schedule_not_possible", detail: expect.stringContaining("50") });
});
