import { expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";

const app = useApp({ sampleEvaluation: true });

it("shows finished runs over datasets with their scores and what the gate drew from them", async () => {
  const { rows } = await app.pool.query(
    "update evaluation_runs set state = 'completed', verdict = 'open', finished_at = now() - interval '1 hour' where state = 'queued' returning id",
  );
  const run = rows[0].id as string;
  // Two repeats of four items: .5, 1, 1 and 1 on average.
  await app.pool.query(
    `insert into evaluation_results (organization, environment, run_id, item, repeat, scores, steps, tokens, cost_usd, ms)
     select 'default', 'development', $1, 'item ' || i, r, json_build_object('right', case when i = 1 and r = 1 then 0 else 1 end)::text, 1, 1, 0, 1
     from generate_series(1, 4) i, generate_series(1, 2) r`,
    [run],
  );
  const { body } = await app.call("GET", "/v1/analytics/quality");
  expect(body.evaluations).toMatchObject([
    {
      run_id: run,
      agent: "sales",
      version: 1,
      verdict: "open",
      link: `/v1/evaluations/runs/${run}`,
      scores: [{ scorer: "right", score: { value: 0.875, high: 1, n: 4 } }],
    },
  ]);
  // 0.875 − 1.96 · 0.25 / √4
  expect(body.evaluations[0].scores[0].score.low).toBeCloseTo(0.63, 3);
  expect((await app.call("GET", "/v1/analytics/quality?agent=support")).body.evaluations).toEqual([]);
});
