import { expect, it } from "vitest";
import { threadBudget } from "./budgets.ts";
import type { Step } from "./definition.ts";
import { planOf } from "./plan.ts";
import { type Fixtures, trialOf } from "./trial.ts";

const start = Date.parse("2026-07-01T08:00:00Z");
const nothing: Fixtures = { input: {}, outputs: {}, failures: {}, events: {} };
const trial = (steps: readonly Step[], given: Partial<Fixtures>) =>
  trialOf(planOf({ workflow: "tried", steps }), { ...nothing, ...given }, start, threadBudget());

const steps: Step[] = [
  { id: "judge", agent: { name: "support", skill: "judge", input: { text: "input.text" } } },
  { id: "ask", when: "steps.judge.output.amount > 100.0", approval: { title: "'Refund?'", covers: ["pay"] } },
  {
    id: "pay",
    tool: { agent: "support", name: "pay", arguments: { amount: "steps.judge.output.amount" } },
    compensate: { tool: { agent: "support", name: "take_back" } },
  },
  { id: "settle", wait: { event: "bank.settled", at_most: "5d", on_timeout: "compensate" } },
];

it("takes the path that the given answers lead to, shows each call, and lets no time pass", () => {
  const { status, path } = trial(steps, {
    input: { text: "hi" },
    outputs: { judge: { amount: 200 }, pay: { id: "r1" } },
    events: { settle: { ok: true } },
  });
  expect(status).toBe("completed");
  expect(path.filter(({ action }) => action).map(({ step, action }) => [step, action])).toMatchObject([
    ["judge", { kind: "agent", input: { text: "hi" } }],
    ["ask", { kind: "approval", covered: { pay: { kind: "tool", arguments: { amount: 200 } } } }],
    ["pay", { kind: "tool", arguments: { amount: 200 } }],
  ]);
});

it("undoes what was done where no event comes in five days, which pass at once", () => {
  const { status, path } = trial(steps, { outputs: { judge: { amount: 1 }, pay: {} }, input: { text: "" } });
  expect(status).toBe("compensated");
  expect(path.at(-2)).toMatchObject({ step: "pay", undo: "running", at: 5 * 86_400, action: { tool: "take_back" } });
});

it("stops at steps for which nothing was given, and names them", () => {
  expect(trial(steps, { input: { text: "" } })).toMatchObject({ status: "stopped", missing: ["judge"] });
});

it("fails a step as often as was asked for, and shows the calls of a loop's items", () => {
  const loop: Step[] = [
    { id: "a", agent: { name: "x", skill: "y" }, retry: { attempts: 2 } },
    { id: "each", for_each: { in: "[1, 2]", at_most: 5 }, agent: { name: "x", skill: "y", input: { n: "item" } } },
  ];
  const { status, path } = trial(loop, {
    outputs: { a: {}, each: { ok: true } },
    failures: { a: { code: "busy", detail: "Once.", times: 1 } },
  });
  expect(status).toBe("completed");
  expect(path.find(({ step, action }) => step === "each" && action)?.action).toMatchObject({
    items: [{ input: { n: 1 } }, { input: { n: 2 } }],
  });
  expect(path.at(-1)).toMatchObject({ step: "each", output: { total: 2, completed: 2 } });
});
