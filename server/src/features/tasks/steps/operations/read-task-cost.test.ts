import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

async function paidTask() {
  const { task_id } = await app.dispatch();
  const scope = "'default', 'development'";
  const step = async (number: number, kind: string, name: string, tokens: number) => {
    const id = app.app.newId("stp");
    await app.pool.query(
      `insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, tokens)
       values (${scope}, $1, $2, 1, $3, $4, $5, 'finished', '{}', $6)`,
      [id, task_id, number, kind, name, tokens],
    );
    return id;
  };
  const charge = (step_id: string | null, spent: number) =>
    app.pool.query(
      `insert into ledger_entries (organization, environment, id, at, operation, agent, principal, task_id, step_id, reserved, spent, released)
       values (${scope}, $1, now(), 'tasks.callModel', 'sales', 'mbr_x', $2, $3, $4, $4, 0)`,
      [app.app.newId("aud"), task_id, step_id, spent],
    );
  const first = await step(1, "model", "gpt-5-mini", 900);
  await charge(first, 1_000_001);
  await charge(first, 2);
  await step(2, "tool", "get_lead", 0);
  const third = await step(3, "model", "gpt-5-mini", 100);
  await charge(third, 333_333);
  await charge(null, 4);
  return { task_id, first };
}

it("adds up to the ledger to the millionth, by step, model and tool", async () => {
  const { task_id, first } = await paidTask();
  const { status, body } = await app.call("GET", `/v1/tasks/${task_id}/cost`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ cost_usd: 1.33334, outside_steps_usd: 0.000004, further_steps: null });
  expect(body.by_step[0]).toMatchObject({ step_id: first, cost_usd: 1.000003, tokens: 900 });
  expect(body.by_model).toEqual([{ name: "gpt-5-mini", calls: 2, cost_usd: 1.333336, tokens: 1000 }]);
  expect(body.by_tool).toEqual([{ name: "get_lead", calls: 1, cost_usd: 0, tokens: 0 }]);
});
