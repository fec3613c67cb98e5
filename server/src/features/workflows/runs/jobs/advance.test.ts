import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { runRow, started, stepRows } from "../runs.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

describe("a run of a workflow", () => {
  it("makes tasks of its steps, one after the other, and answers what they came to", async () => {
    await process.worker();
    const run = await started(
      app,
      [
        { id: "qualify", agent: { name: "sales", skill: "qualify_lead", input: { lead_id: "input.lead" } } },
        { id: "look", tool: { agent: "sales", name: "get_lead", arguments: { lead_id: "input.lead" } } },
        { id: "both", set: { company: "steps.look.output.fields.company" } },
      ],
      { lead: "ld_1001" },
      { output: { company: "steps.both.output.company" } },
    );
    await eventually(async () => expect(await runRow(app, run)).toMatchObject({ status: "completed" }));
    expect(JSON.parse((await runRow(app, run)).output)).toEqual({ company: expect.any(String) });
    expect(await stepRows(app, run)).toMatchObject([
      { step: "qualify", status: "completed", task_id: expect.stringMatching(/^tsk_/) },
      { step: "look", status: "completed", task_id: expect.stringMatching(/^tsk_/) },
      { step: "both", status: "completed", task_id: null },
    ]);
  });

  it("waits for people at an approval, and goes on once they have decided", async () => {
    await process.worker();
    const run = await started(
      app,
      [
        { id: "ask", approval: { title: "'May ' + input.what", agent: "sales" } },
        { id: "after", set: { approved: "steps.ask.output.approved" } },
      ],
      { what: "it" },
    );
    await eventually(async () =>
      expect(await stepRows(app, run)).toMatchObject([{ status: "waiting", task_id: expect.any(String) }]),
    );
    const [{ task_id }] = await stepRows(app, run);
    const answered = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    expect(answered.status, answered.text).toBe(200);
    await eventually(async () => expect(await runRow(app, run)).toMatchObject({ status: "completed" }));
  });

  it("fails with the step's reason where its agent is not there", async () => {
    await process.worker();
    const run = await started(app, [{ id: "a", agent: { name: "nobody", skill: "x" } }], {});
    await eventually(async () => expect(await runRow(app, run)).toMatchObject({ status: "failed" }));
    expect(JSON.parse((await runRow(app, run)).failure)).toMatchObject({ code: "agent_not_live" });
  });
});
