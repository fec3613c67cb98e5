import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { examplesOf, learner, readTraining, startTraining, train } from "../training.fixture.ts";

const app = useSharedApp();
const worker = useWorkerProcess(app);

it("ends a job that nobody has taken up, so that none does, and makes room for another", async () => {
  await learner(app, "hasty");
  const job = await startTraining(app, "hasty", { examples: examplesOf(10) });
  const { status, body } = await app.call("POST", `/v1/agents/hasty/training/${job.job_id}/cancel`, {
    key: "builder",
    body: {},
  });
  expect([status, body.state, body.failure.code]).toEqual([200, "cancelled", "cancelled"]);
  await train(worker, app, job);
  expect(await readTraining(app, job)).toEqual(body);
  expect((await startTraining(app, "hasty", { examples: examplesOf(10) })).state).toBe("queued");
});

it("is refused for a job that has ended", async () => {
  await learner(app, "finished");
  const job = await startTraining(app, "finished", { examples: examplesOf(10) });
  await train(worker, app, job);
  const refused = await app.call("POST", `/v1/agents/finished/training/${job.job_id}/cancel`, { body: {} });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "wrong_state", detail: expect.stringContaining("completed") },
  });
});
