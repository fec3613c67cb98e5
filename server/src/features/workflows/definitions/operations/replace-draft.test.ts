import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow, qualify, redraft } from "../testing.ts";

const app = useSharedApp();

describe("replacing a workflow's draft", () => {
  it("takes away what it leaves out, and saves a draft with errors together with what they are", async () => {
    const workflow = await createdWorkflow(app, { description: "Before.", output: { x: "1.0" } });
    const changed = await redraft(app, workflow, { steps: [{ ...qualify(), when: "input.lead_id == 1.0 || nobody" }] });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ description: "", revision: 2, findings: [{ pointer: "/steps/0/when" }] });
    expect(changed.body.draft).not.toHaveProperty("output");
    expect((await redraft(app, workflow, { steps: changed.body.draft.steps })).body.revision).toBe(2);
  });

  it("tells what is wrong with what is sent, whatever was tried before", async () => {
    const workflow = await createdWorkflow(app);
    const tried = await app.call("PUT", `/v1/workflows/${workflow}?dry_run=true`, {
      body: { steps: [{ ...qualify(), when: "nobody" }] },
      headers: { "if-match": "*" },
    });
    expect(tried.status, tried.text).toBe(200);
    expect((await redraft(app, workflow, { steps: [qualify("other")] })).body.findings).toEqual([]);
  });

  it("takes one of several changes that are based on the same revision", async () => {
    const workflow = await createdWorkflow(app);
    const put = (n: number) =>
      app.call("PUT", `/v1/workflows/${workflow}`, {
        body: { steps: [qualify(`step_${n}`)] },
        headers: { "if-match": '"1-json"' },
      });
    const statuses = (await Promise.all([1, 2, 3, 4, 5, 6].map(put))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412, 412, 412, 412]);
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
