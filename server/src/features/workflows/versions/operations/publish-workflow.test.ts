import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow, publish, qualify, redraft } from "../../definitions/testing.ts";

const app = useSharedApp();
const read = async (workflow: string) => (await app.call("GET", `/v1/workflows/${workflow}`)).body;

describe("publishing a workflow", () => {
  it("freezes the draft as the next version and makes it live", async () => {
    const workflow = await createdWorkflow(app);
    const first = await publish(app, workflow, { note: "The first." });
    expect(first.status, first.text).toBe(200);
    expect(first.body).toMatchObject({
      workflow,
      number: 1,
      note: "The first.",
      live: true,
      kind: "publish",
      previous_version: null,
      findings: [],
      version_id: expect.stringMatching(/^wfv_/),
      release_id: expect.stringMatching(/^wrl_/),
      pinned: {},
      definition: { workflow, steps: [{ id: "qualify" }] },
    });
    await redraft(app, workflow, { steps: [qualify("other")], version_note: "Says it itself." });
    expect((await publish(app, workflow)).body).toMatchObject({
      number: 2,
      note: "Says it itself.",
      previous_version: 1,
    });
    expect(await read(workflow)).toMatchObject({ status: "live", live_version: 2, latest_version: 2 });
    expect((await app.call("GET", `/v1/workflows/${workflow}?version=1`)).body).toMatchObject({
      version: 1,
      draft: { steps: [{ id: "qualify" }] },
    });
    expect((await app.call("GET", `/v1/workflows/${workflow}?version=3`)).status).toBe(404);
  });

  it("publishes no second version of what is live, and an older one by its number", async () => {
    const workflow = await createdWorkflow(app);
    await publish(app, workflow);
    expect((await publish(app, workflow)).body.code).toBe("workflow_already_live");
    await redraft(app, workflow, { steps: [qualify("other")] });
    await publish(app, workflow);
    expect((await publish(app, workflow, { version: 1 })).body).toMatchObject({ number: 1, previous_version: 2 });
    expect((await publish(app, workflow, { version: 3 })).body.errors).toMatchObject([{ code: "unknown_version" }]);
  });

  it("is refused with every error of the draft and its place in the text", async () => {
    const workflow = await createdWorkflow(app);
    const source = `workflow: ${workflow}\nsteps:\n  - id: a\n    agent: { name: nobody, skill: x }\n  - id: b\n    set: { x: steps.c.output }\n`;
    await redraft(app, workflow, { source });
    const refused = await publish(app, workflow);
    expect([refused.status, refused.body.code]).toEqual([409, "workflow_has_errors"]);
    expect(refused.body.errors).toMatchObject([
      { code: "not_there", line: 4 },
      { pointer: "/steps/1/set/x", line: 6 },
    ]);
  });

  it("is refused where the gate of an agent that it uses is closed, or that of a workflow that it starts", async () => {
    await app.deploy("production");
    const inner = await createdWorkflow(app);
    const outer = await createdWorkflow(app, { steps: [{ id: "start", workflow: { name: inner, version: 1 } }] });
    await app.verdict("open", "production");
    await publish(app, inner, {}, "production");
    await app.verdict("failed", "production");
    const [own, nested] = [await publish(app, inner, {}, "production"), await publish(app, outer, {}, "production")];
    expect([own.body.code, nested.body.code]).toEqual(["evaluation_gate_failed", "evaluation_gate_failed"]);
  });

  it("fixes the versions of workflows that its steps start, and counts a newer one as a change", async () => {
    const inner = await createdWorkflow(app);
    const outer = await createdWorkflow(app, { steps: [{ id: "start", workflow: { name: inner } }] });
    expect((await publish(app, outer)).body.errors).toMatchObject([{ code: "not_there" }]);
    await publish(app, inner);
    expect((await publish(app, outer)).body).toMatchObject({ number: 1, pinned: { [inner]: 1 } });
    await redraft(app, inner, { steps: [qualify("other")] });
    await publish(app, inner);
    expect((await publish(app, outer)).body).toMatchObject({ number: 2, pinned: { [inner]: 2 } });
  });

  it("is refused with If-Match of a draft that is no more, and after archiving", async () => {
    const workflow = await createdWorkflow(app);
    await redraft(app, workflow, { steps: [qualify("other")] });
    const stale = await app.call("POST", `/v1/workflows/${workflow}/publish`, {
      body: {},
      headers: { "if-match": '"1-json"' },
    });
    expect(stale.body.code).toBe("stale_revision");
    await app.call("DELETE", `/v1/workflows/${workflow}`, { body: { reason: "Over." } });
    expect((await publish(app, workflow)).body.code).toBe("workflow_archived");
  });
});
