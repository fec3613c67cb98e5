import { binOf } from "@aos/rollup";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lowestId } from "../../../kernel/ids.ts";
import type { ApprovalSource, StepSource, TaskSource } from "./fact-sources.ts";
import { approvalFacts, columnsOfFact, taskFacts } from "./facts.ts";
import { cellsOfText, cellsText } from "./facts-store.ts";
import { families, shapeOf } from "./families.ts";

const at = Date.parse("2026-11-01T10:00:00Z");
const task: TaskSource = {
  id: lowestId("tsk", at),
  agent: "sales",
  version_id: "ver_1",
  skill: "qualify_lead",
  status: "completed",
  key_id: null,
  principal: "mbr_1",
  risk_level: "low",
  labels: ["x", "customer:acme", "customer:globex"],
  trust_score: 0.8,
  cost_usd: 0.0021,
  tokens: 900,
  origin: "call",
  started: at + 500,
  finished: at + 4_000,
  outcome: null,
  judged_by: null,
};
const step: StepSource = {
  task_id: task.id,
  kind: "tool",
  name: "get_lead",
  state: "finished",
  cost_usd: 0.001,
  tokens: 0,
  took: 120,
};
const approval: ApprovalSource = {
  id: lowestId("apr", at),
  task_id: task.id,
  agent: "sales",
  version_id: "ver_1",
  skill: "qualify_lead",
  tool: null,
  risk_level: "high",
  status: "consumed",
  decided: at + 3_000,
  decided_by: "mbr_2",
  edited_by: null,
};
const columns = { names: ["customer", "former"], declared: new Set(["customer"]) };
const factsOf = (changes: Partial<TaskSource>, steps = [step]) =>
  taskFacts({ ...task, ...changes }, "builtin", steps, [], columns);

describe("what a task contributes", () => {
  it("is its cost, times and steps once it has ended, in whole numbers", () => {
    const [own, steps] = factsOf({}, [step, { ...step, state: "unknown", took: null }]);
    expect(own).toMatchObject({
      dims: { model: "builtin", key: null, status: "completed", origin: "call" },
      labels: ["acme", null],
      sums: { n: 1, ended: 1, cost: 2_100_000, tokens: 900, steps: 2, duration_ms: 4_000, queue_ms: 500, trust: 8_000 },
      bins: { duration: [[binOf(4_000), 1]], queue_time: [[binOf(500), 1]] },
    });
    expect(steps).toMatchObject({ family: "steps", sums: { n: 2, failed: 1, cost: 2_000_000, duration_ms: 120 } });
  });

  it("is that it was dispatched and what it has cost while it is open", () => {
    const [own, ...charged] = factsOf({ status: "running", finished: null }, [step, { ...step, cost_usd: 0 }]);
    expect(own).toMatchObject({ dims: { status: "open" }, sums: { n: 1, cost: 2_100_000, trust: 8_000, edited: 0 } });
    expect(Object.keys(own?.sums ?? {})).not.toContain("tokens");
    expect(charged).toMatchObject([{ family: "steps", sums: { n: 1, cost: 1_000_000 }, bins: {} }]);
  });

  it("says how its outcome was judged beside what its score had promised", () => {
    expect(factsOf({ outcome: 0.5 })[0]).toMatchObject({
      sums: { judged: 1, accepted: 5_000, judged_trust: 8_000, squared_error: 900 },
      bins: { judged_bin: [[8, 1]], accepted_bin: [[8, 5_000]], trust_bin: [[8, 8_000]] },
    });
  });

  it("has no negative times where two clocks differ", () => {
    expect(factsOf({ started: at - 30, finished: at - 20 })[0]?.sums).toMatchObject({ duration_ms: 0, queue_ms: 0 });
  });
});

it("counts a decision as quick within five seconds, and as right where the task was accepted by other means", () => {
  const sums = (changes: Partial<ApprovalSource>, judged: Partial<TaskSource> = {}) =>
    approvalFacts({ ...approval, ...changes }, { ...task, ...judged }, columns)[0]?.sums;
  expect(sums({})).toMatchObject({ decided: 1, approved: 1, quick: 1, decide_ms: 3_000, judged: 0 });
  expect(sums({ decided: at + 5_001 })).toMatchObject({ quick: 0 });
  expect(sums({ status: "expired" })).toMatchObject({ decided: 0, expired: 1, decide_ms: 0 });
  expect(sums({ decided_by: "system:sweeper" }), "a machine decides nothing").toMatchObject({ decided: 0, quick: 0 });
  expect(sums({}, { outcome: 1, judged_by: "approval" })).toMatchObject({ judged: 0, agreed: 0 });
  expect(sums({}, { outcome: 0, judged_by: "feedback" })).toMatchObject({ judged: 1, agreed: 0 });
  expect(sums({ status: "changes_requested" })).toMatchObject({ overridden: 1, sent_back: 1, rejected: 0 });
});

it("reads cells back as they were stored, and equal cells are equal texts", () => {
  const whole = fc.integer({ min: -1e9, max: 1e12 });
  const cell = fc.constantFrom(...families).chain((family) =>
    fc.record({
      family: fc.constant(family),
      dims: fc.array(fc.nat({ max: 65_535 }), {
        minLength: shapeOf(family, 2).dims,
        maxLength: shapeOf(family, 2).dims,
      }),
      sums: fc.array(whole, { maxLength: shapeOf(family, 2).sums }),
      bins: fc.array(fc.array(fc.tuple(fc.nat({ max: 2_000 }), fc.nat()), { minLength: 1 }), { maxLength: 2 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(cell), (cells) => {
      const text = cellsText(cells);
      expect(cellsText(cellsOfText(text))).toBe(text);
      for (const [index, read] of cellsOfText(text).entries()) {
        expect(read).toMatchObject({
          family: cells[index]?.family,
          dims: cells[index]?.dims,
          bins: cells[index]?.bins,
        });
        expect(cells[index]?.sums.every((sum, at) => sum === (read.sums[at] ?? 0))).toBe(true);
      }
    }),
  );
});

it("has whole numbers only and a column for each member, whatever the row", () => {
  const source = fc.record({
    status: fc.constantFrom("queued", "completed", "failed"),
    cost_usd: fc.double({ min: 0, max: 1_000, noNaN: true }),
    trust_score: fc.double({ min: 0, max: 1, noNaN: true }),
    outcome: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    finished: fc.option(fc.integer({ min: at - 1_000, max: at + 1e9 })),
  });
  fc.assert(
    fc.property(source, (changes) => {
      for (const fact of factsOf(changes)) {
        const { family, dims, labels, sums, bins } = columnsOfFact(fact);
        expect({ dims: dims.length + labels.length, sums: sums.length, bins: bins.length }).toEqual(shapeOf(family, 2));
        expect([...sums, ...bins.flat(2)].every(Number.isSafeInteger)).toBe(true);
      }
    }),
  );
});
