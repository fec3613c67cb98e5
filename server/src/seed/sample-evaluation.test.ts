import { expect, it } from "vitest";
import { useApp } from "../testing/app.ts";
import { eventually } from "../testing/tasks.ts";

const app = useApp({ role: "all", sampleEvaluation: true });

it("opens the sample's gate by a run that the worker takes up after the first start", async () => {
  const gate = async () => (await app.call("GET", "/v1/evaluations/gates/sales")).body.versions[0];
  // Nobody woke a worker: the sweep finds the run after some seconds. The test does not wait for that.
  await app.pool.query("update evaluation_runs set created_at = created_at - interval '1 minute'");
  await eventually(async () => expect((await gate()).state).toBe("open"));
  const { decision, runs } = await gate();
  expect(decision).toMatchObject({
    verdict: "open",
    n: 80,
    scorers: [{ scorer: "facts-agree", score: { mean: 1 }, failures: { items: 0 } }],
  });
  const { body: run } = await app.call("GET", `/v1/evaluations/runs/${runs[0]}`);
  expect(run).toMatchObject({
    state: "completed",
    verdict: "open",
    requested_by: expect.stringMatching(/^mbr_/),
    progress: { done: 80, failed: 0 },
  });
  const [first] = run.items.data;
  expect(first.repeats[0].output).toMatchObject({ ...first.expected, summary: expect.any(String) });
  const { rows } = await app.pool.query(
    "select count(*)::int as n from trust_judgements where origin = 'evaluation' and skill = 'summarize_lead'",
  );
  expect(rows).toEqual([{ n: 80 }]);
  await app.app.facts.refresh();
  const { audit_ref } = await app.dispatch();
  const { body: record } = await app.call("GET", `/v1/audit/events/${audit_ref}`);
  expect(record.stages.find(({ stage }: { stage: string }) => stage === "evaluation_gate")).toMatchObject({
    verdict: "allow",
    reasons: expect.arrayContaining([expect.stringMatching(/^open: sales/)]),
    policy_version: runs[0],
  });
});
