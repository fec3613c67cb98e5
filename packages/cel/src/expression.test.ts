import v8 from "node:v8";
import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, createEnvironment, Expression, NeedsThread, TooCostly } from "./index.ts";
import { Needle } from "./search.ts";
import { sizeOf } from "./size.ts";

const environment = createEnvironment({ unlistedVariablesAreDyn: true, limits: { maxDepth: 48 }, functions: [] });
const items = Array.from({ length: 100 }, (_, n) => ({ n }));
const evaluate = (source: string, names: Record<string, unknown> = {}, bound = 100_000) => {
  const budget = new Budget({ perExpression: bound, total: Number.POSITIVE_INFINITY });
  return Expression.parse(environment, source).evaluate(names, budget);
};
const nested = "items.exists(a, items.exists(b, items.exists(c, a.n + b.n + c.n == 1000.0)))";

describe("an expression", () => {
  it("ends where it costs more than it may, and says where that was", () => {
    const source = `true && ${nested}`;
    const place = { start: expect.any(Number), end: expect.any(Number) };
    expect(() => evaluate(source, { items })).toThrow(TooCostly);
    try {
      evaluate(source, { items });
    } catch (error) {
      expect(error).toMatchObject({ bound: "expression", place });
    }
  });

  it("cannot catch that it costs too much", () => {
    for (const source of [`${nested} || true`, `items.exists(x, ${nested} || true)`, `!(${nested} && false)`])
      expect(() => evaluate(source, { items })).toThrow(TooCostly);
  });

  it("is not evaluated at all without a budget", () => {
    expect(() => environment.parse("a + b")({ a: 1, b: 2 })).toThrow("without a budget");
  });

  it.each([
    "items.map(i, i.n)",
    "items.exists(i, items.all(j, i.n == j.n))",
    "cel.bind(a, items, size(a))",
    "cel.bind(a, items, timestamp(text))",
    "-timestamp(text)",
    "items.map(i, i.absent)",
  ])("keeps nothing of what it was evaluated with: %s", async (source) => {
    v8.setFlagsFromString("--expose-gc");
    const collect = vm.runInNewContext("gc") as () => void;
    const expression = Expression.parse(environment, source);
    const evaluateOnce = (): WeakRef<object>[] => {
      const given = { items: [{ n: 1 }, { n: 2 }], text: "x" };
      const budget = new Budget({ perExpression: 100_000, total: 100_000 });
      try {
        expression.evaluate(given, budget);
      } catch {
        // some end with an error
      }
      return [new WeakRef(given.items), new WeakRef(given.items[1] as object)];
    };
    const references = evaluateOnce();
    await new Promise(setImmediate);
    collect();
    expect(references.map((one) => one.deref())).toEqual([undefined, undefined]);
    expect(expression.source).toBe(source);
  });

  it("charges the parts that a result shares wherever they stand", () => {
    const doubled = (times: number) =>
      Array.from({ length: times }, (_, n) => `cel.bind(v${n + 1}, [v${n}, v${n}], `).join("");
    const source = `cel.bind(v0, 'x', ${doubled(20)}v20${")".repeat(21)}`;
    expect(() => evaluate(source, {}, 1_000_000)).toThrow(TooCostly);
  });

  it("charges texts that double", () => {
    const doubled = Array.from({ length: 22 }, (_, n) => `cel.bind(v${n + 1}, v${n} + v${n}, `).join("");
    expect(() => evaluate(`cel.bind(v0, 'x', ${doubled}size(v22)${")".repeat(23)}`)).toThrow(TooCostly);
  });

  it("charges comparing by the smaller of two values", () => {
    const wide = Array.from({ length: 50_000 }, (_, n) => ({ n }));
    expect(evaluate("wide == []", { wide })).toBe(false);
    expect(() => evaluate("wide == other", { wide, other: structuredClone(wide) })).toThrow(TooCostly);
  });

  it("runs patterns as RE2, and names what to write for those that are none", () => {
    expect(evaluate(`'${"a".repeat(100)}!'.matches('(a+)+$')`)).toBe(false);
    expect(evaluate("'ABC'.matches('(?i)abc')")).toBe(true);
    expect(() => evaluate("'ab'.matches('(?=a)b')")).toThrow(/knows no lookahead .* combine several matches/);
    expect(() => evaluate(String.raw`'aa'.matches('(a)\\1')`)).toThrow(/no back-references/);
    expect(() => evaluate("'a'.matches('a{1000}{1000}')")).toThrow(/use smaller counts/);
  });
});

describe("a budget", () => {
  it("is shared by evaluations, each of which has its own bound", () => {
    const budget = new Budget({ perExpression: 1_000, total: 1_500 });
    const one = Expression.parse(environment, "items.all(x, x.n >= 0.0)");
    expect(one.evaluate({ items }, budget)).toBe(true);
    expect(() => one.evaluate({ items }, budget)).toThrow(expect.objectContaining({ bound: "total" }));
    expect(() => one.evaluate({ items: [] }, budget)).toThrow(TooCostly);
  });

  it("asks for a thread where less may be done here than altogether", () => {
    const budget = new Budget({ perExpression: 100_000, total: 100_000, here: 100 });
    expect(() => Expression.parse(environment, nested).evaluate({ items }, budget)).toThrow(NeedsThread);
  });
});

it("finds and splits texts as the platform does", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", ","), maxLength: 200 });
  const part = fc.string({ unit: fc.constantFrom("a", "b", ","), maxLength: 12 });
  fc.assert(
    fc.property(text, part, fc.nat(220), fc.integer({ min: -1, max: 5 }), (whole, sought, from, most) => {
      expect(new Needle(sought).indexIn(whole, from)).toBe(whole.indexOf(sought, from));
      expect(evaluate("whole.contains(sought)", { whole, sought })).toBe(whole.includes(sought));
      const all = whole.split(sought);
      expect(evaluate("whole.split(sought)", { whole, sought })).toEqual(all);
      const limited = most < 0 || all.length <= most ? all : most === 0 ? [] : limit(all, most, sought);
      expect(evaluate("whole.split(sought, most)", { whole, sought, most: BigInt(most) })).toEqual(limited);
    }),
  );
});

const limit = (all: readonly string[], most: number, by: string): string[] => [
  ...all.slice(0, most - 1),
  all.slice(most - 1).join(by),
];

describe("what an operation may cost", () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it.each([
    [
      "a duration of many readings",
      "duration(d) == duration('1s')",
      { d: `${"ms".repeat(49)}!` },
      /duration\(\) takes/,
    ],
    ["JSON of very many levels", "bytes(s).json().a == o", { s: deep(4_000), o: { a: 2 } }, /at most 64 levels/],
    ["a class that begins with ]", "'a'.matches(p)", { p: `(?:${"a".repeat(440)}[])]){500}` }, /\\]/],
    ["a quoted part", "'a'.matches(p)", { p: `(${"a".repeat(450)}\\Q(\\E){240}` }, /\\Q/],
    ["very many classes of Unicode", "'a'.matches(p)", { p: `(?i)[${"\\pL\\PN".repeat(80)}]{900}` }, /1000 parts/],
  ])("refuses %s", (_what, source, names, message) => {
    expect(() => evaluate(source, names, 4_000_000)).toThrow(message);
  });

  it.each(["1h30m", "1m5s", "1m5ms", "-2.5s", "100ms"])("takes the duration %s", (text) => {
    expect(evaluate(`duration('${text}') == duration('${text}')`)).toBe(true);
  });

  it.each([["\\x{2028}"], ["^\\p{L}{1,64}$"], ["[\\]a]"], ["[[:alpha:]]+"]])("takes the pattern %s", (pattern) => {
    expect(evaluate("'a'.matches(p) || true", { p: pattern })).toBe(true);
    expect(() => evaluate("'a'.matches(p)", { p: pattern })).not.toThrow();
  });

  it("counts a comparison of shared parts by what it walks, however small the parts are", () => {
    const levels = 8;
    const eight = (name: string, at: number) => `[${Array(8).fill(`v${at}.${name}`).join(", ")}]`;
    const binds = Array.from(
      { length: levels },
      (_, n) => `cel.bind(v${n + 1}, {'a': ${eight("a", n)}, 'b': ${eight("b", n)}}, `,
    );
    const source = `cel.bind(v0, {'a': [1], 'b': [1]}, ${binds.join("")}[v${levels}.a] == [v${levels}.b]${")".repeat(levels + 1)}`;
    expect(() => evaluate(source, {}, 1_000_000)).toThrow(TooCostly);
  });

  it("finds the same size whatever was asked for before", () => {
    const tree = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "medium" }, fc.nat(), fc.string(), fc.array(tie("value"), { maxLength: 20 })),
    })).value;
    fc.assert(
      fc.property(tree, fc.nat({ max: 100 }), (value, most) => {
        const copy = structuredClone(value);
        sizeOf(value, most, { visited: 0 });
        expect(sizeOf(value, 1e9, { visited: 0 })).toBe(sizeOf(copy, 1e9, { visited: 0 }));
      }),
    );
  });
});
