import { describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { createdWorkflow, qualify, redraft } from "../testing.ts";

const app = useApp();

describe("replacing a workflow's draft", () => {
  it("takes away what it leaves out, and saves a draft with errors together with what they are", async () => {
    const workflow = await createdWorkflow(app, { description: "Before.", output: { x: "1.0" } });
    const changed = await redraft(app, workflow, { steps: [{ ...qualify(), when: "input.lead_id == 1.0 || nobody" }] });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ description: "", revision: 2, findings: [{ pointer: "/steps/0/when" }] });
    expect(changed.body.draft).not.toHaveProperty("output");
    expect((await redraft(app, workflow, { steps: changed.body.draft.steps })).body.revision).toBe(2);
  });

  it("keeps the comments of a file, and forgets the text where members take its place", async () => {
    const workflow = await createdWorkflow(app);
    const source = `workflow: ${workflow} # by hand\nsteps:\n  - { id: a, set: {} }\n`;
    expect((await redraft(app, workflow, { source })).body.source).toBe(source);
    expect((await redraft(app, workflow, { steps: [qualify()] })).body).not.toHaveProperty("source");
  });

  it("refuses a change of a revision that is no more, one of another name, and one after archiving", async () => {
    const workflow = await createdWorkflow(app);
    const put = (body: object, etag = '"1-json"') =>
      app.call("PUT", `/v1/workflows/${workflow}`, { body, headers: { "if-match": etag } });
    expect((await put({ workflow: "another", steps: [qualify()] })).body.errors).toMatchObject([
      { code: "another_workflow" },
    ]);
    expect((await put({ steps: [qualify("other")] })).status).toBe(200);
    expect((await put({ steps: [qualify()] })).body.code).toBe("stale_revision");
    await app.call("DELETE", `/v1/workflows/${workflow}`, { body: { reason: "Over." } });
    expect((await put({ steps: [qualify()] }, "*")).body.code).toBe("workflow_archived");
  });
});
