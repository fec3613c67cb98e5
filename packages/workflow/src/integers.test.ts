import { children } from "@aos/cel";
import type { ASTNode } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf, scopeOf } from "./actions.ts";
import { threadBudget } from "./budgets.ts";
import { findingsOf } from "./check.ts";
import { checkEnvironment } from "./check-types.ts";
import type { Step, WorkflowDefinition } from "./definition.ts";
import { ExpressionFault, evaluate } from "./expressions.ts";
import type { KnownCalls } from "./known.ts";
import { planOf, withSkillOutputs } from "./plan.ts";
import { trialOf } from "./trial.ts";

const integer = { type: "integer" };
const number = { type: "number" };
const counted = {
  type: "object",
  required: ["count", "share", "parts", "maybe"],
  properties: {
    count: integer,
    share: number,
    parts: { type: "array", items: { type: "object", properties: { size: integer } } },
    maybe: { type: ["integer", "null"] },
  },
} as const;
const input = {
  type: "object",
  required: ["n", "m", "x", "ids", "names", "lines"],
  properties: {
    n: integer,
    m: integer,
    x: number,
    ids: { type: "array", items: integer },
    names: { type: "array", items: { type: "string" } },
    lines: { type: "array", items: { type: "object", properties: { quantity: integer } } },
  },
};
const known: KnownCalls = {
  skill: () => ({ output: counted }),
  tool: () => ({ effect: "read", arguments: { type: "object", properties: { n: integer } } }),
  workflow: () => "none",
};
const count: Step = { id: "count", agent: { name: "a", skill: "s", input: {} } };
const definitionOf = (x: string): WorkflowDefinition => ({
  workflow: "counts",
  input,
  steps: [count, { id: "use", set: { x } }],
});
const given = { n: 7, m: 2, x: 1.5, ids: [3, 4], names: ["a", "b", "c"], lines: [{ quantity: 5 }] };
const answered = { count: 3, share: 0.5, parts: [{ size: 4 }], maybe: 9 };

/** What an expression comes to in a run; the codes of what is wrong with it, where the check finds anything. */
function cameTo(source: string, changes: Partial<typeof given> = {}): unknown {
  const definition = definitionOf(source);
  const found = findingsOf(definition, known);
  if (found.length > 0) return found.map(({ code }) => code);
  const plan = withSkillOutputs(planOf(definition), () => counted);
  const fixtures = { input: { ...given, ...changes }, outputs: { count: answered }, failures: {}, events: {} };
  const { path, failure } = trialOf(plan, fixtures, 0, threadBudget());
  const used = path.find(({ step }) => step === "use")?.output as { x: unknown } | undefined;
  return failure?.detail ?? used?.x;
}

describe("an integer that a schema declares", () => {
  it.each([
    ["input.n % 2", 1],
    ["input.n / 2", 3],
    ["input.n / input.m", 3],
    ["input.n", 7],
    ["string(input.n)", "7"],
    ["input.names[input.m]", "c"],
    ["size(input.names) == input.n - 4", true],
    ["input.ids.map(id, id % 2)", [1, 0]],
    ["input.lines.exists(line, line.quantity % 2 == 1)", true],
    ["steps.count.output.count % 2", 1],
    ["steps.count.output.parts[0].size % 3", 1],
    ["steps.count.output.maybe % 2", 1],
    ["run.version % 2", 0],
  ])("is an int in %s", (source, value) => {
    expect(cameTo(source)).toEqual(value);
  });

  it.each([
    ["input.n * 2.0", 14],
    ["input.n / 2.0", 3.5],
    ["2.0 / input.m", 1],
    ["input.n - input.x", 5.5],
    ["input.x + input.n", 8.5],
    ["input.x * 2", 3],
    ["input.n > 1.5", true],
    ["input.n == 7.0 && 7.0 == input.n && input.n != input.x", true],
    ["input.n in [7.0, 1.0] && 3.0 in input.ids", true],
    ["input.ids == [3.0, 4.0]", true],
    ["(input.ids + [1.5]).map(one, one * 2.0)", [6, 8, 3]],
    ["(input.n > 1.5 ? input.n : input.x) * 2.0", 14],
    ["[input.n, 1.5]", [7, 1.5]],
    ["{'a': input.n} == {'a': 7.0}", true],
    ["steps.count.output.count * 2.0 + steps.count.output.share", 6.5],
  ])("meets doubles in %s", (source, value) => {
    expect(cameTo(source)).toEqual(value);
  });

  it("is a double where JSON does not hold it exactly, or where it has a fraction against its schema", () => {
    expect(cameTo("input.n * 2.0", { n: 2 ** 60 })).toBe(2 ** 61);
    expect(cameTo("input.n + 0.5", { n: 1.5 })).toBe(2);
    expect(cameTo("input.n % 2", { n: 2 ** 60 })).toContain("no such overload: dyn<double> % int");
    expect(cameTo("input.n % 2", { n: 2 ** 53 - 1 })).toBe(1);
  });

  it("may be given where a number is needed, and a number where an integer is", () => {
    const call = (n: string): WorkflowDefinition => ({
      workflow: "counts",
      input,
      steps: [{ id: "call", tool: { agent: "a", name: "t", arguments: { n } } }],
    });
    for (const source of ["input.n", "input.x", "3", "3.0"]) expect(findingsOf(call(source), known)).toEqual([]);
    expect(findingsOf(call("'3'"), known)).toMatchObject([{ detail: "It comes to string, and int is needed." }]);
  });

  it("is proposed where a number is no int by its schema", () => {
    const detail = (source: string) => findingsOf(definitionOf(source), known)[0]?.detail;
    for (const source of ["input.x % 2", "input.names[input.x]"])
      expect(detail(source)).toContain("declare it type: integer, or write int(…) around it");
  });
});

it("numbers a loop's items by ints, and counts them by ints", () => {
  const definition: WorkflowDefinition = {
    workflow: "loops",
    input,
    steps: [
      {
        id: "each",
        tool: { agent: "a", name: "t", arguments: { n: "input.ids[item_index] + item_index / 2.0" } },
        for_each: { in: "input.names.filter(name, name != 'c')", at_most: 5 },
      },
      { id: "use", set: { even: "steps.each.output.total % 2 == 0" } },
    ],
  };
  expect(findingsOf(definition, known)).toEqual([]);
  const fixtures = { input: given, outputs: { each: {} }, failures: {}, events: {} };
  const { path } = trialOf(planOf(definition), fixtures, 0, threadBudget());
  expect(path[0]?.action).toMatchObject({ items: [{ arguments: { n: 3 } }, { arguments: { n: 4.5 } }] });
  expect(path.find(({ step }) => step === "use")?.output).toEqual({ even: true });
});

/** Expressions over numbers as they were written when integers were doubles. */
const numbers = fc.letrec<{ number: string; list: string; truth: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom("input.n", "input.m", "input.x", "2.0", "0.5", "-3.0", "steps.count.output.count", "input.ids[0]"),
    fc
      .tuple(tie("number"), fc.constantFrom("+", "-", "*", "/"), tie("number"))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie("number").map((one) => `(-${one})`),
    tie("number").map((one) => `double(${one})`),
    fc.tuple(tie("truth"), tie("number"), tie("number")).map(([when, a, b]) => `(${when} ? ${a} : ${b})`),
    tie("list").map((list) => `${list}[0]`),
  ),
  list: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constant("input.ids"),
    fc.array(tie("number"), { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie("list"), fc.constantFrom("+", "*", "-")).map(([list, op]) => `${list}.map(one, one ${op} 2.0)`),
  ),
  truth: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc
      .tuple(tie("number"), fc.constantFrom("<", "<=", ">", ">=", "==", "!="), tie("number"))
      .map((one) => one.join(" ")),
    fc.tuple(tie("number"), tie("list")).map(([one, list]) => `${one} in ${list}`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `${a} == ${b}`),
    tie("list").map((list) => `${list}.exists(one, one > 1.0)`),
  ),
}));
const anyExpression = fc.oneof(
  numbers.number,
  numbers.list,
  numbers.truth,
  numbers.number.map((one) => `string(${one})`),
  numbers.number.map((one) => `int(${one})`),
  numbers.number.map((one) => `{'a': ${one}}`),
);

/** Whether a division is one that docs/decisions/0074 excepts: of two integers, or by what may be −0 as a double and has no sign as an int. */
function hasExceptedDivision(node: ASTNode): boolean {
  if (node.op === "/") {
    const [dividend, divisor] = node.args;
    const isByDouble = isSurelyDouble(divisor);
    const isByRead = ["input.n", "input.m"].includes(textOf(divisor)) && isSurelyDouble(dividend);
    if (!isByDouble && !isByRead) return true;
  }
  return children(node).some((child) => hasExceptedDivision(child));
}

const textOf = (node: ASTNode): string =>
  node.op === "." ? `${textOf(node.args[0])}.${node.args[1]}` : node.op === "id" ? node.args : "";

/** Whether a value is made of doubles alone. */
function isSurelyDouble(node: ASTNode): boolean {
  if (node.op === "value") return typeof node.args === "number";
  if (textOf(node) === "input.x") return true;
  return ["+", "-", "*", "/"].includes(node.op) && children(node).every((child) => isSurelyDouble(child));
}

describe("an expression that was right with integers as doubles", () => {
  const definition = definitionOf("1");
  const outputOf = () => counted;
  const asDoubles = checkEnvironment(planOf(definition), outputOf, "double");
  const small = fc.integer({ min: -50, max: 50 });
  // So many products of numbers up to 50 stay below 2^53.
  const mostProducts = 8;
  const values = fc.record({
    n: small,
    m: small,
    x: fc.oneof(small, fc.double({ min: -50, max: 50, noNaN: true })),
    ids: fc.array(small, { minLength: 1, maxLength: 4 }),
  });
  const outcome = (source: string, plan: ReturnType<typeof planOf>, changes: object): unknown => {
    const state = { input: { ...given, ...changes }, run: { version: 1 } };
    const steps = { count: factsOf(plan, "count", { status: "completed", attempt: 1, output: answered }) };
    try {
      return evaluate(source, scopeOf(plan, state, steps, 0, threadBudget()));
    } catch (error) {
      if (error instanceof ExpressionFault) return "a fault";
      throw error;
    }
  };
  const { input: _declared, ...undeclared } = definition;
  const before = planOf(undeclared);
  const after = withSkillOutputs(planOf(definition), outputOf);

  it("is still right, and comes to the same but where decision 0074 says otherwise", () => {
    let compared = 0;
    fc.assert(
      fc.property(anyExpression, values, (source, changes) => {
        const parsed = asDoubles.parse(source);
        if (!parsed.check().valid) return;
        expect(findingsOf(definitionOf(source), known)).toEqual([]);
        if (hasExceptedDivision(parsed.ast) || source.split("*").length > mostProducts) return;
        compared++;
        const was = outcome(source, before, changes);
        expect(JSON.stringify(outcome(source, after, changes))).toBe(JSON.stringify(was));
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });

  it.each([
    ["input.n / input.m", {}, 3.5, 3],
    ["input.n / input.m", { m: 0 }, Number.POSITIVE_INFINITY, "a fault"],
    ["2.0 / (-input.m) > 0.0", { m: 0 }, false, true],
    ["input.n * input.n", { n: 2 ** 32 }, 2 ** 64, "a fault"],
    ["input.n * input.n - 1.0", { n: 2 ** 32 }, 2 ** 64, "a fault"],
    ["type(input.n) == double", {}, true, false],
  ])("comes to something else in %s with %o", (source, changes, was, is) => {
    expect([outcome(source, before, changes), outcome(source, after, changes)]).toEqual([was, is]);
  });
});
