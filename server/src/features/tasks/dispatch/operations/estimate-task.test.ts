import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const estimate = (body: object) => app.call("POST", "/v1/tasks/estimate", { body: { agent: "sales", ...body } });
const tasks = async () => (await app.pool.query("select count(*)::int as n from tasks")).rows[0].n as number;

it("says what a dispatch would come to by the rules that decide, and makes no task", async () => {
  const before = await tasks();
  const { status, body } = await estimate({ task: "qualify_lead", lead_id: "ld_1001", require_approval: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ would: "wait_for_approval", problem: null, version: 1 });
  expect(body.approval.reasons).toContain("The caller asked for approval.");
  expect(await tasks()).toBe(before);
});

it("answers the problem that the dispatch would be refused with", async () => {
  const { status, body } = await estimate({ task: "qualify_leed", lead_id: "ld_1001" });
  expect(status).toBe(200);
  expect(body).toMatchObject({ would: "be_refused", approval: null, completes: null, cost_usd: null });
  expect(body.problem.errors[0]).toMatchObject({ pointer: "/task", code: "unknown_task" });
});

it("rests its figures on how tasks of the same skill went", async () => {
  const { task_id } = await app.dispatch();
  await app.pool.query(
    `update tasks set status = 'completed', output = '{}', cost_usd = 0.02, tokens = 900, started_at = created_at + interval '1 s',
       finished_at = created_at + interval '5 s' where id = $1`,
    [task_id],
  );
  const { body } = await estimate({ task: "qualify_lead", lead_id: "ld_1001" });
  expect(body.history).toMatchObject({ tasks: 1, same_version: true });
  expect(body.cost_usd).toEqual({ expected: 0.02, low: 0.02, high: 0.02 });
  expect(body.run_seconds.expected).toBeCloseTo(4);
  expect(body.completes.expected).toBe(0.75);
});
