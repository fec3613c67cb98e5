import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow, publish, qualify, redraft } from "../../definitions/testing.ts";

const app = useSharedApp();

describe("a version of a workflow", () => {
  it("says how it differs from another one, step by step", async () => {
    const workflow = await createdWorkflow(app, { steps: [qualify("a"), qualify("b")] });
    await publish(app, workflow);
    const steps = [qualify("new"), qualify("a"), { ...qualify("b"), timeout: "5m" }];
    await redraft(app, workflow, { steps, limits: { steps: 9 } });
    await publish(app, workflow);
    const { body } = await app.call("GET", `/v1/workflows/${workflow}/versions/2?against=1`);
    expect(body).toMatchObject({ workflow, number: 2, live: true });
    expect(body.diff).toMatchObject({
      against: 1,
      identical: false,
      summary: "1 step added, 1 step changed, limits added",
      changes: [
        { path: ["steps", "new"], kind: "added" },
        {
          path: ["steps", "b", "timeout"],
          pointer: "/steps/2/timeout",
          kind: "added",
          after: "5m",
        },
        { path: ["limits"], kind: "added" },
      ],
    });
    expect((await app.call("GET", `/v1/workflows/${workflow}/versions/2?against=2`)).body.diff.identical).toBe(true);
    expect((await app.call("GET", `/v1/workflows/${workflow}/versions/2?against=9`)).status).toBe(404);
    expect((await app.call("GET", `/v1/workflows/${workflow}/versions/x`)).status).toBe(404);
  });

  it("gives back the file that it was published from", async () => {
    const workflow = await createdWorkflow(app);
    const source = `# ours\nworkflow: ${workflow}\nsteps:\n  - { id: a, set: { x: 1 } }\n`;
    await redraft(app, workflow, { source });
    await publish(app, workflow);
    const path = `/v1/workflows/${workflow}/versions/1`;
    expect((await app.call("GET", path, { headers: { accept: "application/yaml" } })).text).toBe(source);
  });
});
