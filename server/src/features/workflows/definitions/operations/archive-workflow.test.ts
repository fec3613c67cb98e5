import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow, publish } from "../testing.ts";

const app = useSharedApp();
const archive = (workflow: string, environment: "development" | "staging" = "development") =>
  app.call("DELETE", `/v1/workflows/${workflow}`, { environment, body: { reason: "Over." } });

describe("archiving a workflow", () => {
  it("ends what is live here, says that it is live elsewhere, and archives it once it is live nowhere", async () => {
    await app.deploy("staging");
    await app.verdict("open", "staging");
    const workflow = await createdWorkflow(app);
    await publish(app, workflow);
    expect((await publish(app, workflow, {}, "staging")).body).toMatchObject({ number: 1 });
    expect((await archive(workflow)).body).toMatchObject({
      status: "draft",
      live_version: null,
      archived: null,
      live_elsewhere: ["staging"],
      environment: "development",
    });
    expect((await archive(workflow, "staging")).body).toMatchObject({
      status: "archived",
      archived: { reason: "Over.", by: expect.stringMatching(/^mbr_/) },
      live_elsewhere: [],
      environment: "staging",
    });
    expect((await archive(workflow)).body.code).toBe("workflow_archived");
    const kept = await app.call("GET", `/v1/workflows/${workflow}/versions`);
    expect(kept.body.data).toMatchObject([{ number: 1, live: false }]);
  });
});
