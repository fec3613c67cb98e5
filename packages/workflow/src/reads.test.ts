import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step, WorkflowDefinition } from "./definition.ts";
import { planOf } from "./plan.ts";
import { outputReadsOf, type Reads, readsOf, undoReadsOf } from "./reads.ts";

const tool = (given: Record<string, unknown>) => ({ agent: "support", name: "pay", arguments: given });
const earlier: Step[] = ["a", "b", "c"].map((id) => ({ id, set: { value: "1.0" } }));
const all = ["a", "b", "c", "step"];

/** What a step after `a`, `b` and `c` reads. */
function readBy(step: Omit<Step, "id">, more: Partial<WorkflowDefinition> = {}): Reads {
  const plan = planOf({ workflow: "made", ...more, steps: [...(more.steps ?? earlier), { id: "step", ...step }] });
  return readsOf(plan, "step");
}

const reads = (...names: string[]): Reads => ({
  input: names.includes("input"),
  event: names.includes("event"),
  steps: names.filter((name) => name !== "input" && name !== "event"),
});

describe("a step reads", () => {
  it.each<[string, Omit<Step, "id">, Reads]>([
    ["what its arguments name", { tool: tool({ to: "steps.a.output.to", sum: "input.sum" }) }, reads("a", "input")],
    ["what lists and objects in them name", { set: { x: [{ y: "event.y" }, "steps.b.status"] } }, reads("event", "b")],
    ["what its condition names", { when: "steps.c.output.ok == true", set: {} }, reads("c")],
    [
      "the list of its loop",
      { for_each: { in: "steps.a.output.list", at_most: 3 }, tool: tool({ x: "item" }) },
      reads("a"),
    ],
    ["what keys in brackets name", { set: { x: 'steps["b"].output' } }, reads("b")],
    ["nothing that only stands in a text", { set: { x: "'steps.a.output and input'" } }, reads()],
    ["nothing of the run and the time", { set: { x: "run.id", y: "string(now)" } }, reads()],
    [
      "the conditions of a wait, but not their event as the run's",
      { wait: { event: "x", where: "event.id == steps.a.output.id" } },
      reads("a"),
    ],
    ["until when it waits", { wait: { until: "input.at" } }, reads("input")],
  ])("%s", (_name, step, expected) => {
    expect(readBy(step)).toEqual(expected);
  });

  it.each(["steps[input.name].output", "size(steps) > 0", "steps.unknown.output", "[1].map(x, steps)"])(
    "every step by %s",
    (source) => {
      expect(new Set(readBy({ set: { x: source } }).steps)).toEqual(new Set(all));
    },
  );

  it("everything by an expression that cannot be parsed", () => {
    expect(readBy({ set: { x: "input. .a" } })).toEqual({ input: true, event: true, steps: all });
  });

  it("of an approval, what the calls name that it covers", () => {
    const paying: Step = { id: "pay", needs: ["ask"], tool: tool({ sum: "steps.b.output.sum" }) };
    const ask: Step = { id: "ask", approval: { title: "'Pay?'", covers: ["pay"] } };
    expect(readsOf(planOf({ workflow: "made", steps: [...earlier, ask, paying] }), "ask").steps).toEqual(["b"]);
  });

  it("the conditions of the steps around it and of those that may end the run before it", () => {
    const inner: Step = { id: "inner", set: { x: "1.0" } };
    const branches = { one: [inner], two: [{ id: "other", set: {} }] };
    const steps: Step[] = [
      ...earlier,
      { id: "stop", when: "steps.a.output.stop == true", end: {} },
      { id: "both", when: "steps.b.output.both == true", parallel: { branches } },
    ];
    expect(readsOf(planOf({ workflow: "made", steps }), "inner").steps).toEqual(["b", "a"]);
  });

  it("what undoes it apart, and the run's output what it names and the steps that end it", () => {
    const undone: Step = { id: "pay", tool: tool({}), compensate: { tool: tool({ sum: "steps.pay.output.sum" }) } };
    const plan = planOf({ workflow: "made", steps: [undone, { id: "stop", end: {} }], output: { x: "input.x" } });
    expect(readsOf(plan, "pay").steps).toEqual([]);
    expect(undoReadsOf(plan, "pay").steps).toEqual(["pay"]);
    expect(outputReadsOf(plan)).toEqual(reads("input", "stop"));
  });
});

const names = {
  input: "input.x",
  event: "event.x",
  a: "steps.a.output.x",
  b: "steps.b.output",
  c: "steps.c.trust_low",
};
const pieces = fc.array(
  fc.record({
    name: fc.constantFrom(...(Object.keys(names) as (keyof typeof names)[])),
    around: fc.constantFrom(
      (text: string) => text,
      (text: string) => `[${text}, 1.0]`,
      (text: string) => `has(run.x) ? ${text} : 'input'`,
      (text: string) => `{'steps.a': ${text}}`,
      (text: string) => `[1.0].exists(x, ${text} == x)`,
    ),
  }),
  { maxLength: 6 },
);

it("a step reads what its expressions name and nothing else, however they are written", () => {
  fc.assert(
    fc.property(pieces, (some) => {
      const set = Object.fromEntries(some.map(({ name, around }, at) => [`x${at}`, around(names[name])]));
      const { input, event, steps } = readBy({ set });
      const found = [...(input ? ["input"] : []), ...(event ? ["event"] : []), ...steps];
      expect(new Set(found)).toEqual(new Set(some.map(({ name }) => name)));
    }),
  );
});
