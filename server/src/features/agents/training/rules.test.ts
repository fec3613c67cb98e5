import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseDemonstrations, tokensOf } from "./jobs/demonstrate.ts";
import { metricsOf, outputScore, splitExamples } from "./rules.ts";

const pair = (text: string, kind = "a") => ({ input: { text }, output: { kind } });
const pairs = (n: number, kind?: string) => Array.from({ length: n }, (_, index) => pair(`case ${index}`, kind));
const dated = (list: ReturnType<typeof pairs>, at = 1) => list.map((one) => ({ ...one, at }));
const from = (given: ReturnType<typeof pairs>) => ({
  feedback: [],
  given: dated(given),
  dataset: [],
  earlier: [],
  definition: [],
});
const textsOf = (list: readonly { input: Readonly<Record<string, unknown>> }[]) => list.map(({ input }) => input.text);

describe("splitting examples", () => {
  it("holds out the share that is asked for, and every example stands on one side", () => {
    const { train, heldOut, counts } = splitExamples(from(pairs(100)), 0.2, 0);
    expect([train.length, heldOut.length]).toEqual([80, 20]);
    expect(new Set([...textsOf(train), ...textsOf(heldOut)]).size).toBe(100);
    expect(counts).toEqual({
      given: 100,
      dataset: 0,
      feedback: 0,
      earlier: 0,
      definition: 0,
      duplicates: 0,
      used: 100,
      train: 80,
      held_out: 20,
    });
  });

  it("depends on the seed and the examples alone, not on their order", () => {
    const held = (list: ReturnType<typeof pairs>, seed: number) =>
      textsOf(splitExamples(from(list), 0.3, seed).heldOut).sort();
    expect(held(pairs(50).toReversed(), 7)).toEqual(held(pairs(50), 7));
    expect(held(pairs(50), 8)).not.toEqual(held(pairs(50), 7));
  });

  it("holds out again what it held out before, when more examples come, but for those at the border", () => {
    const before = new Set(textsOf(splitExamples(from(pairs(500)), 0.2, 3).heldOut));
    const after = new Set(textsOf(splitExamples(from(pairs(600)), 0.2, 3).heldOut));
    expect([...before].filter((text) => after.has(text)).length).toBeGreaterThan(85);
  });

  it("takes each input once, with its newest label, and counts the others", () => {
    const one = (kind: string, at: number) => dated([pair("same", kind)], at);
    const outputOf = (sources: Parameters<typeof splitExamples>[0]) =>
      [...splitExamples(sources, 0.5, 0).train, ...splitExamples(sources, 0.5, 0).heldOut].find(
        ({ input }) => input.text === "same",
      )?.output;
    const all = {
      feedback: one("f", 4),
      given: one("g", 5),
      dataset: one("d", 3),
      earlier: one("e", 2),
      definition: one("x", 0),
    };
    expect(outputOf(all)).toEqual({ kind: "g" });
    expect(outputOf({ ...all, given: [] })).toEqual({ kind: "f" });
    expect(outputOf({ ...all, feedback: [], given: [] })).toEqual({ kind: "d" });
    expect(outputOf({ ...all, earlier: one("e", 9) })).toEqual({ kind: "e" });
    expect(splitExamples(all, 0.5, 0).counts).toMatchObject({ earlier: 1, duplicates: 4, used: 1 });
  });

  it("never holds out what the model is shown anyway, and always leaves something to learn from", () => {
    fc.assert(
      fc.property(
        fc.nat(30),
        fc.nat(30),
        fc.double({ min: 0.05, max: 0.5, noNaN: true }),
        fc.nat(),
        (given, shown, share, seed) => {
          const definition = dated(pairs(given + shown), 0).slice(given);
          const { train, heldOut } = splitExamples({ ...from(pairs(given)), definition }, share, seed);
          const kept = new Set(textsOf(definition));
          expect(heldOut.some(({ input }) => kept.has(input.text as string))).toBe(false);
          expect(train.length + heldOut.length).toBe(given + shown);
          if (given + shown >= 2) expect(train.length).toBeGreaterThan(0);
          if (given >= 2) expect(heldOut.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("scoring an output", () => {
  it.each([
    [{ a: 1, b: "x" }, { a: 1, b: "X " }, 1],
    [{ a: 1, b: "x" }, { a: 1, b: "y" }, 0.5],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 0.5],
    [{ a: true }, { a: "true" }, 0],
    [{ a: 0.1 + 0.2 }, { a: 0.3 }, 1],
    [{ a: null }, { a: null, more: 1 }, 1],
    [{ a: null }, {}, 0],
    [{ a: [] }, { a: [] }, 1],
    [{}, { anything: 1 }, 1],
  ])("counts of %j, answered by %j, the share %d", (expected, output, share) => {
    expect(outputScore(expected, output)).toBe(share);
  });
});

describe("before and after", () => {
  const measured = (n: number, before: number, after: number) =>
    Array.from({ length: n }, (_, i) => ({
      before: i < before * n ? 1 : 0,
      after: i < after * n ? 1 : 0,
      probability: 0.8,
    }));

  it("are better or worse only where the bounds of the paired difference say so", () => {
    expect(metricsOf(measured(200, 0.5, 0.8), "s", [])).toMatchObject({
      n: 200,
      before: 0.5,
      after: 0.8,
      verdict: "better",
    });
    expect(metricsOf(measured(200, 0.8, 0.5), "s", []).verdict).toBe("worse");
    expect(metricsOf(measured(10, 0.5, 0.6), "s", []).verdict).toBe("unclear");
    expect(metricsOf([], "s", [])).toMatchObject({ n: 0, before: null, after: null, verdict: "unclear" });
  });

  it("say how far stated certainty is from what was right", () => {
    expect(metricsOf(measured(100, 0.5, 0.8), "s", []).ece).toBeCloseTo(0, 10);
    expect(metricsOf(measured(100, 0.5, 0.5), "s", []).ece).toBeCloseTo(0.3, 10);
    expect(metricsOf([{ before: 1, after: 1 }], "s", []).ece).toBeNull();
  });
});

describe("demonstrations", () => {
  const words = ["invoice", "refund", "password", "delivery"];
  const cases = Array.from({ length: 80 }, (_, n) => pair(`my ${words[n % 4]} number ${n} is wrong`, words[n % 4]));

  it("stay within their budget of tokens, and use as much of it as brings something", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (budget) => {
        const { chosen, tokens } = chooseDemonstrations(cases, budget);
        expect(tokens).toBe(chosen.reduce((sum, one) => sum + tokensOf(one), 0));
        expect(tokens).toBeLessThanOrEqual(budget);
        if (budget >= 100) expect(chosen.length).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it("cover what the examples are about: with room for four of four kinds, one of each", () => {
    const { chosen } = chooseDemonstrations(cases, 4 * Math.max(...cases.map(tokensOf)));
    expect(new Set(chosen.map(({ output }) => output.kind))).toEqual(new Set(words));
  });

  it("are the same for the same examples", () => {
    expect(chooseDemonstrations(cases, 300)).toEqual(chooseDemonstrations(cases, 300));
  });

  it("are chosen of thousands of examples in a moment", () => {
    const many = Array.from({ length: 5000 }, (_, n) =>
      pair(`case ${n} about ${words[n % 4]} and ${n * 7919}`, words[n % 4]),
    );
    const began = performance.now();
    expect(chooseDemonstrations(many, 1000).chosen.length).toBeGreaterThan(4);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
