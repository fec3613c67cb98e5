import type { Step, WorkflowDefinition } from "@aos/workflow";
import { describe, expect, it } from "vitest";
import { wake } from "../../jobs/queue.ts";
import { type TestApp, useApp } from "../../testing/app.ts";
import { eventually } from "../../testing/tasks.ts";
import { useWorkerProcess } from "../../testing/worker.ts";
import { wakeRun } from "../tasks/public.ts";

const app = useApp();
const process = useWorkerProcess(app);

let made = 0;

/** A run of a workflow as it is when somebody has just started it; wakes a worker. */
async function started(
  test: TestApp,
  steps: readonly Step[],
  input: unknown,
  more: Partial<WorkflowDefinition> = {},
): Promise<string> {
  const { organization, environment } = test.scope;
  const workflow = `made_${++made}`;
  const run = `wfr_${String(made).padStart(26, "0")}`;
  const [{ id: member }] = (await test.pool.query("select id from members order by id limit 1")).rows as [
    { id: string },
  ];
  await test.pool.query(
    `insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ($1, $2, $3, '{}', now(), now(), $3)`,
    [organization, workflow, member],
  );
  await test.pool.query(
    `insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values ($1, $2, 1, $3, $4, '', $5, now())`,
    [organization, workflow, `wfv_${made}`, JSON.stringify({ workflow, steps, ...more }), member],
  );
  await test.pool.query(
    `insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, audit_ref, created_at, updated_at)
     values ($1, $2, $3, $4, 1, $5, 'queued', $6, 'manual', $7, 'aud_0', now(), now())`,
    [organization, environment, run, workflow, `wfv_${made}`, JSON.stringify(input), member],
  );
  await wake(test.pool, [wakeRun(test.scope, run)]);
  return run;
}

const runRow = async (run: string) =>
  (await app.pool.query("select * from workflow_runs where id = $1", [run])).rows[0];
const steps = async (run: string) =>
  (
    await app.pool.query("select step, status, task_id from workflow_steps where run_id = $1 order by changed_as", [
      run,
    ])
  ).rows;

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
    await eventually(async () => expect(await runRow(run)).toMatchObject({ status: "completed" }));
    expect(JSON.parse((await runRow(run)).output)).toEqual({ company: expect.any(String) });
    expect(await steps(run)).toMatchObject([
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
      expect(await steps(run)).toMatchObject([{ status: "waiting", task_id: expect.any(String) }]),
    );
    const [{ task_id }] = await steps(run);
    const answered = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key: "approver", body: {} });
    expect(answered.status, answered.text).toBe(200);
    await eventually(async () => expect(await runRow(run)).toMatchObject({ status: "completed" }));
  });

  it("fails with the step's reason where its agent is not there", async () => {
    await process.worker();
    const run = await started(app, [{ id: "a", agent: { name: "nobody", skill: "x" } }], {});
    await eventually(async () => expect(await runRow(run)).toMatchObject({ status: "failed" }));
    expect(JSON.parse((await runRow(run)).failure)).toMatchObject({ code: "agent_not_live" });
  });
});
