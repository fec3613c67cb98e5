import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { examplesOf, learner, startTraining, train } from "../training.fixture.ts";

const app = useSharedApp();
const worker = useWorkerProcess(app);

describe("reading a training job", () => {
  it("waits for its end where the caller does, and not longer", async () => {
    await learner(app, "awaited");
    const job = await startTraining(app, "awaited", { examples: examplesOf(20) });
    const path = `/v1/agents/awaited/training/${job.job_id}`;
    const waited = app.call("GET", path, { key: "viewer", headers: { prefer: "wait=30" } });
    await train(worker, app, job);
    const { body, headers } = await waited;
    expect([body.state, headers.get("preference-applied")]).toEqual(["completed", "wait=30"]);
    const other = await startTraining(app, "awaited", { examples: examplesOf(20), seed: 1 });
    const early = await app.call("GET", `/v1/agents/awaited/training/${other.job_id}`, {
      headers: { prefer: "wait=1" },
    });
    expect(early.body.state).toBe("queued");
  });

  it("is 404 under another agent's name, in another environment, and for what is no job", async () => {
    await learner(app, "owner");
    await learner(app, "stranger");
    const { job_id } = await startTraining(app, "owner", { examples: examplesOf(10) });
    const status = async (path: string, environment: "development" | "staging" = "development") =>
      (await app.call("GET", `/v1/agents/${path}`, { environment })).status;
    expect(await status(`owner/training/${job_id}`)).toBe(200);
    expect(await status(`stranger/training/${job_id}`)).toBe(404);
    expect(await status(`owner/training/${job_id}`, "staging")).toBe(404);
    expect(await status("owner/training/trn_none")).toBe(404);
  });
});
