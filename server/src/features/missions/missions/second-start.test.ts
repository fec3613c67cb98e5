import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { advanceRun } from "../../workflows/runs/operations/advance-run.ts";
import { startStep } from "../../workflows/steps/operations/start-step.ts";
import { deployOutreach, missionOf, ok, readMission, tasksOf } from "./missions.fixture.ts";

const app = useApp();
// No worker runs: the test itself looks at the run and starts its step.
const process = useWorkerProcess(app);

beforeAll(async () => {
  await deployOutreach(app);
  await process.refresh();
});

it("a step that two workers start at once is one task of the budget, and blocks no mission that has no more", async () => {
  const body = { ...missionOf(1, 1, { cost_usd: 1, tasks: 1 }), autonomy: "within_limits" };
  const { mission_id: mission } = await ok(app, "POST", "/v1/missions", { ...body, inputs: { lead_id: "ld_1001" } });
  await ok(app, "POST", `/v1/missions/${mission}/plan`, {});
  const { run_id: run } = await ok(app, "POST", `/v1/missions/${mission}/start`, {});
  await process.inside(advanceRun, app.scope, { runs: [run] });
  const at = { run, step: "write_mail", attempt: 1 };
  const starts = await Promise.allSettled([0, 1].map(() => process.inside(startStep, app.scope, at)));
  expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await tasksOf(app, mission, "write_mail")).toHaveLength(1);
  expect(await readMission(app, mission)).toMatchObject({ status: "running", open_decisions: 0 });
});
