import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp(); // what people judged of other tasks would move the score

it("shows the parts of a task's trust score, which add up to it, and what it would be without each", async () => {
  const { task_id, trust_score } = await app.dispatch();
  const { status, body } = await app.call("GET", `/v1/tasks/${task_id}/trust`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ score: trust_score, scored: "at_start", judgements: [] });
  expect(1 / (1 + Math.exp(-body.log_odds))).toBeCloseTo(trust_score, 3);
  expect(body.skill_now.score).toBe(trust_score);
});

it("lists how people judged the task", async () => {
  const { task_id } = await app.dispatch();
  await app.pool.query(
    `update tasks set status = 'completed', output = '{"qualified":true}', started_at = now(), finished_at = now() where id = $1`,
    [task_id],
  );
  await app.call("POST", `/v1/tasks/${task_id}/feedback`, { body: { accepted: true } });
  const { body } = await app.call("GET", `/v1/tasks/${task_id}/trust`);
  expect(body).toMatchObject({ scored: "at_end", judgements: [{ source: "feedback", outcome: 1 }] });
});
