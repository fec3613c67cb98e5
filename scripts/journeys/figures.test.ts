import { describe, expect, it } from "vitest";
import { commonResults, type EndedTask, type Figures, judgeTask, taskFigures } from "./figures.ts";

const ended = (parts: Partial<EndedTask>): EndedTask => ({
  task_id: "tsk_1",
  status: "completed",
  trust_score: 0.9,
  trust: {},
  output: null,
  failure: null,
  audit_ref: "aud_1",
  created_at: "2026-11-20T09:00:00.000Z",
  finished_at: "2026-11-20T09:00:01.000Z",
  ...parts,
});
/** A task that answered `converted` with this score, the model being so uncertain. */
const answered = (converted: boolean, expected: boolean, score: number, uncertainty = 0) =>
  judgeTask(
    ended({
      output: { converted },
      trust_score: score,
      trust: { case: { probability: 1 - uncertainty } },
    }),
    "converted",
    expected,
  );

describe("the figures of tasks", () => {
  it("count an answer as right only where the task completed and says what was expected", () => {
    expect(answered(true, true, 0.9).correct).toBe(true);
    expect(answered(true, false, 0.9).correct).toBe(false);
    expect(judgeTask(ended({ output: {} }), "converted", true)).toMatchObject({ correct: false, answered: undefined });
    expect(judgeTask(ended({ status: "failed", output: { converted: true } }), "converted", true).correct).toBe(false);
  });

  it("hold the trust scores of completed tasks against whether their answers are right", () => {
    const tasks = [
      answered(true, true, 0.9),
      answered(true, true, 0.9),
      answered(false, true, 0.7),
      answered(false, false, 0.7),
    ];
    const { accuracy, trust } = taskFigures(tasks);
    expect(accuracy).toBe(0.75);
    expect(trust.ece).toBeCloseTo(0.5 * 0.1 + 0.5 * 0.2, 12);
    expect(trust.brier).toBeCloseTo((0.01 + 0.01 + 0.49 + 0.09) / 4, 12);
  });

  it("read the model's probability of true from how uncertain it was of its answer", () => {
    const { auc, brier } = taskFigures([
      answered(true, true, 0.9, 0.1),
      answered(false, false, 0.9, 0.2),
      answered(false, true, 0.9, 0.4),
      answered(true, false, 0.9, 0.45),
    ]);
    // .9 came, .2 did not, .4 came, .55 did not: three of four pairs are in order.
    expect(auc).toBeCloseTo(0.75, 12);
    expect(brier).toBeCloseTo((0.01 + 0.04 + 0.36 + 0.3025) / 4, 12);
  });

  it("say nothing of probabilities where answers are no booleans", () => {
    const task = judgeTask(ended({ output: { intent: "lost_card" } }), "intent", "lost_card");
    expect(taskFigures([task])).toMatchObject({ accuracy: 1, auc: null, brier: null });
  });

  it("tell how tasks ended that did not complete, and leave them out of the quality", () => {
    const failed = ended({ status: "failed", failure: { code: "model_failed", detail: "It did not answer." } });
    const figures = taskFigures([
      answered(true, true, 0.9),
      judgeTask(failed, "converted", true),
      judgeTask(ended({ status: "cancelled" }), "converted", true),
    ]);
    expect(figures).toMatchObject({
      dispatched: 3,
      completed: 1,
      accuracy: 1,
      others: { "failed (model_failed)": 1, cancelled: 1 },
    });
    expect(taskFigures([])).toMatchObject({ completed: 0, accuracy: null, auc: null, brier: null });
  });
});

it("tells throughput over all waves, the share of tasks and of records that held, and nothing of what was not measured", () => {
  const all = taskFigures([answered(true, true, 0.9), judgeTask(ended({ status: "failed" }), "converted", true)]);
  const none = taskFigures([]);
  const figures: Figures = {
    records: 0,
    examples: 10,
    training: { seconds: 2, wallSeconds: 3, before: null, after: 0.9, low: 0.8 },
    gate: "open",
    cold: null,
    first: all,
    rest: none,
    all,
    taskSeconds: 0.5,
    proofs: { records: 8, verified: 6 },
  };
  const results = new Map(
    commonResults(figures, { ece: [0.05, 0.02], rate: [150, 500] }).map((one) => [one.what, one]),
  );
  expect(results.get("tasks completed, of those dispatched")).toMatchObject({ value: 0.5, bar: 1 });
  expect(results.get("tasks, from dispatch to completion")).toMatchObject({ value: 2, unit: "/s", bar: 150, aim: 500 });
  expect(results.get("audit records proved, of those sampled")).toMatchObject({ value: 0.75, bar: 1 });
  expect(results.get("training")).toMatchObject({ value: 2, bar: null });
  expect(results.has("   of tasks before any was judged")).toBe(true);
  expect(results.has("   of tasks after these were judged")).toBe(false);
});
