import fc from "fast-check";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { type DatabaseFault, databaseFaults, useDatabaseFaults } from "../../../testing/database-faults.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { deployOutreach, missionOf, ok, outreachModel, readMission } from "./missions.fixture.ts";

const faults = useDatabaseFaults("aos-test-worker");
const app = useApp();
const process = useWorkerProcess(app);

beforeAll(async () => {
  await deployOutreach(app);
  await process.refresh();
  await process.worker({ model: outreachModel() });
});
afterEach(() => faults.clear());

/** Whatever statements of a worker fail meanwhile, at most this many. */
const mostFaults = 60;
const fault = fc.option(fc.constantFrom(...databaseFaults), { freq: 15, nil: undefined });
const chosen = fc.record({ leads: fc.integer({ min: 3, max: 20 }), fates: fc.infiniteStream(fault) });

it("ends a mission with every item accounted for, none lost and none twice, whatever statements fail", async () => {
  const property = fc.asyncProperty(chosen, async ({ leads, fates }) => {
    const mission = await carriedOut(leads, fates);
    await expectAccounted(mission, leads);
  });
  await fc.assert(property, { numRuns: 6, endOnFailure: true });
}, 1_500_000);

/** A mission that was started and finished while statements met their fates. */
async function carriedOut(leads: number, fates: Iterator<DatabaseFault | undefined>): Promise<string> {
  const body = { ...missionOf(leads, 2, { cost_usd: 9, tasks: 60 }), autonomy: "within_limits" };
  const { mission_id: mission } = await ok(app, "POST", "/v1/missions", body);
  await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
  await ok(app, "POST", `/v1/missions/${mission}/start`, {});
  faults.choose(() => (faults.met < mostFaults ? fates.next().value : undefined));
  const sweeping = setInterval(() => void process.sweeper.sweep().catch(() => undefined), 1_000);
  try {
    const isFinished = async () => expect(await readMission(app, mission)).toMatchObject({ status: "finished" });
    await vi.waitFor(isFinished, { timeout: 240_000, interval: 250 });
  } finally {
    clearInterval(sweeping);
    faults.clear();
  }
  expect(faults.met).toBeGreaterThan(0);
  return mission;
}

async function expectAccounted(mission: string, leads: number): Promise<void> {
  const { tasks, spend } = await readMission(app, mission);
  const { data } = await ok(app, "GET", `/v1/missions/${mission}/tasks?limit=100`);
  expect(tasks).toMatchObject({ open: 0, waiting: 0, failed: 0, cancelled: 0, not_made: 0, completed: data.length });
  expect(spend).toMatchObject({ used_tasks: data.length, reserved_usd: 0 });
  const { rows } = await app.pool.query<{ step: string; n: number }>(
    `select t.run_step as step, count(*)::int as n from tasks t join workflow_runs r on r.id = t.run_id
     where r.mission = $1 group by t.run_step, t.input::json ->> 'lead_id'`,
    [mission],
  );
  expect(rows.filter(({ n }) => n > 1)).toEqual([]);
  expect(rows.filter(({ step }) => step === "qualify_lead")).toHaveLength(leads);
  const timeline = await ok(app, "GET", `/v1/missions/${mission}/timeline?limit=100`);
  const ends = timeline.data.filter(({ kind }: { kind: string }) => kind === "task.completed");
  expect(ends).toHaveLength(data.length);
}
