import { afterEach, beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { databaseFaults, useDatabaseFaults } from "../../../testing/database-faults.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deployOutreach, missionOf, ok, outreachModel, readMission, tasksOf, untilStatus } from "./missions.fixture.ts";

const faults = useDatabaseFaults("aos-test-worker");
const app = useApp();
const process = useWorkerProcess(app);

beforeAll(async () => {
  await deployOutreach(app);
  await process.refresh();
  await process.worker({ model: outreachModel() });
});
afterEach(() => faults.clear());

const planned = async (leads: number): Promise<string> => {
  const body = { ...missionOf(leads, 1, { cost_usd: 5, tasks: 50 }), autonomy: "within_limits" };
  const { mission_id: mission } = await ok(app, "POST", "/v1/missions", body);
  await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
  return mission;
};
const start = (mission: string) => ok(app, "POST", `/v1/missions/${mission}/start`, {});
/** Starting the task of a mission's step locks the mission. */
const isStart = (text: string): boolean => /from "missions".*for update/s.test(text);
const timelineOf = async (mission: string) =>
  (await ok(app, "GET", `/v1/missions/${mission}/timeline?limit=100`)).data as {
    kind: string;
    text: string;
    task_id: string | null;
  }[];

it.each(databaseFaults)("makes the task of an item whose start met the fault %s, once it can", async (fault) => {
  const mission = await planned(4);
  let left = 3;
  faults.choose((text) => (isStart(text) && left-- > 0 ? fault : undefined));
  await start(mission);
  const { tasks } = await untilStatus(app, mission, "finished");
  expect(faults.met).toBe(3);
  expect(tasks).toMatchObject({ completed: 4, failed: 0, not_made: 0 });
  expect(await tasksOf(app, mission, "qualify_lead")).toHaveLength(4);
});

it("shows on the step why its tasks do not begin while the database is broken", async () => {
  const mission = await planned(2);
  faults.choose((text) => (isStart(text) ? "statement_timeout" : undefined));
  await start(mission);
  const held =
    "select held from workflow_steps s join workflow_runs r on r.id = s.run_id where r.mission = $1 and s.held is not null";
  await eventually(async () => {
    const { rows } = await app.pool.query<{ held: string }>(held, [mission]);
    expect(JSON.parse(rows[0]?.held ?? "{}")).toMatchObject({
      code: "database_unavailable",
      again_at: expect.any(String),
    });
  });
  expect(await readMission(app, mission)).toMatchObject({ status: "running", tasks: { failed: 0, not_made: 0 } });
  faults.clear();
  await untilStatus(app, mission, "finished");
});

it("tells each task that could not be made, and counts it", async () => {
  const mission = await planned(3);
  const { run_id: run } = await start(mission);
  await untilStatus(app, mission, "finished");
  const failure = JSON.stringify({ code: "agent_not_live", detail: "outreach is not deployed." });
  await app.pool.query(
    "update workflow_items set status = 'failed', task_id = null, failure = $2 where run_id = $1 and number = 1",
    [run, failure],
  );
  await app.pool.query("update missions set status = 'running' where id = $1", [mission]);
  await app.pool.query("select graphile_worker.add_job('settle_mission', $1)", [
    JSON.stringify({ ...app.scope, mission, run }),
  ]);
  const { tasks } = await untilStatus(app, mission, "finished");
  expect(tasks).toMatchObject({ not_made: 1 });
  const timeline = await timelineOf(mission);
  const told = (kind: string): string | undefined => timeline.find((one) => one.kind === kind)?.text;
  expect(told("mission.finished")).toContain("1 could not be made");
  expect(told("task.not_made")).toBe(
    "The task of item 2 of qualify_lead could not be made: agent_not_live: outreach is not deployed.",
  );
});

it("does not finish while a task of its run has not ended", async () => {
  const mission = await planned(2);
  const { run_id: run } = await start(mission);
  await untilStatus(app, mission, "finished");
  const [{ task_id: task }] = await tasksOf(app, mission, "qualify_lead");
  const { rows } = await app.pool.query("select finished_at from tasks where id = $1", [task]);
  await app.pool.query("update tasks set status = 'running', finished_at = null where id = $1", [task]);
  await app.pool.query("update missions set status = 'running' where id = $1", [mission]);
  const faultsBefore = process.faults.length;
  await app.pool.query("select graphile_worker.add_job('settle_mission', $1)", [
    JSON.stringify({ ...app.scope, mission, run }),
  ]);
  await eventually(() => expect(process.faults.length).toBeGreaterThan(faultsBefore));
  expect(await readMission(app, mission)).toMatchObject({ status: "running" });
  await app.pool.query("update tasks set status = 'completed', finished_at = $2 where id = $1", [
    task,
    rows[0].finished_at,
  ]);
  await untilStatus(app, mission, "finished");
});
