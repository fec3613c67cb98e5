import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow } from "../testing.ts";

const app = useSharedApp();

it("stops a workflow's triggers in its environment alone, with a reason, until they are resumed", async () => {
  const workflow = await createdWorkflow(app);
  const call = (verb: string, body: object) => app.call("POST", `/v1/workflows/${workflow}/${verb}`, { body });
  await call("pause", { reason: "First." });
  expect((await call("pause", { reason: "Stocktaking." })).body).toMatchObject({
    paused: true,
    pause: { reason: "Stocktaking.", by: expect.stringMatching(/^mbr_/) },
  });
  const elsewhere = await app.call("GET", `/v1/workflows/${workflow}`, { environment: "staging" });
  expect(elsewhere.body).toMatchObject({ paused: false, pause: null });
  expect((await call("resume", {})).body).toMatchObject({ paused: false, pause: null });
});
