import fc from "fast-check";
import { expect, it } from "vitest";
import { Bag } from "./bag.ts";
import { applyMap, fitMap, fitTemperature } from "./calibration.ts";
import { sigmoid } from "./exact-math.ts";
import { FieldReader, planFields } from "./fields.ts";
import { addText, schemeFor, wordsOf } from "./grams.ts";
import { leavesOf, numberIn } from "./leaves.ts";
import { areaUnderCurve, calibrationError } from "./measures.ts";
import { randomOf } from "./random.ts";

it("reads nested objects and lists, and gives a list's items one meaning", () => {
  const leaves = leavesOf({ input: { a: { "b/c": 1 } }, records: { crm: { tags: ["x", null, "y"], empty: " " } } });
  expect(leaves.map(({ key, from, path, value }) => [key, from, path, value])).toEqual([
    ["/input/a/b~1c", "input", "/a/b~1c", 1],
    ["/records/crm/tags/*", "crm", "/tags/0", "x"],
    ["/records/crm/tags/*", "crm", "/tags/2", "y"],
  ]);
});

it("reads a bounded part of a huge or deep example", () => {
  let deep: unknown = "bottom";
  for (let level = 0; level < 10_000; level++) deep = { deep };
  const leaves = leavesOf({
    input: { deep, many: Array.from({ length: 50_000 }, (_, i) => i), long: "x".repeat(100_000) },
    records: {},
  });
  expect(leaves).toHaveLength(2_000);
});

it("takes numbers that are written as text for numbers, and nothing else", () => {
  expect(["1047.0", " -3 ", "1e3", ".5"].map(numberIn)).toEqual([1047, -3, 1000, 0.5]);
  expect(["", "12 apples", "0x10", "1e999", "NaN", "01.High", true].map(numberIn)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

it("decides by the data what is text, category, number, and what only names things", () => {
  const examples = Array.from({ length: 40 }, (_, i) =>
    leavesOf({
      input: {
        id: `ld_${i}`,
        size: i * 3,
        kind: i % 2 ? "big" : "small",
        note: `customer number ${i} asked about the card ${i * 7}`,
      },
      records: {},
    }),
  );
  expect(planFields(examples).map(({ key, kind }) => [key, kind])).toEqual([
    ["/input/size", "number"],
    ["/input/kind", "category"],
    ["/input/note", "text"],
  ]);
});

it("tells a missing field from a present one", () => {
  const plan = planFields([leavesOf({ input: { kind: "a" }, records: {} })]);
  const reader = new FieldReader(plan, schemeFor(1));
  const bag = new Bag();
  reader.read(leavesOf({ input: {}, records: {} }), bag);
  const missing = bag.hashes[0];
  reader.read(leavesOf({ input: { kind: "a" }, records: {} }), bag);
  expect(bag.size).toBe(1);
  expect(bag.hashes[0]).not.toBe(missing);
});

it("cuts words at spaces and signs, keeps apostrophes inside, and takes each sign of a script without spaces", () => {
  expect(wordsOf("I can’t pay, WHY?")).toEqual(["i", "can't", "pay", "why", "?"]);
  expect(wordsOf("Größe 東京")).toEqual(["größe", "東", "京"]);
});

it("counts a word sequence that comes again instead of adding it twice", () => {
  const [once, twice] = [new Bag(), new Bag()];
  once.empty();
  twice.empty();
  addText(once, "card", 1, 1, 0, schemeFor(1));
  addText(twice, "card card", 1, 1, 0, schemeFor(1));
  const shared = [...twice.amounts.subarray(0, twice.size)].filter((amount) => amount === 2);
  expect(shared.length).toBeGreaterThan(1);
  expect(new Set(twice.hashes.subarray(0, twice.size)).size).toBe(twice.size);
});

it("measures the area under the curve as the share of pairs in the right order", () => {
  const scored = fc.array(fc.record({ score: fc.integer({ min: 0, max: 9 }), yes: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(scored, (cases) => {
      const [yes, no] = [cases.filter((one) => one.yes), cases.filter((one) => !one.yes)];
      const pairs = yes.flatMap((a) => no.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)));
      const expected = pairs.length === 0 ? null : pairs.reduce((sum: number, one) => sum + one, 0) / pairs.length;
      const found = areaUnderCurve(cases);
      if (expected === null) expect(found).toBeNull();
      else expect(found).toBeCloseTo(expected, 12);
    }),
  );
});

it("puts overconfident scores right, and leaves honest ones nearly as they are", () => {
  const random = randomOf(3);
  const honest = Float64Array.from({ length: 4_000 }, () => 6 * (random() - 0.5));
  const right = Uint8Array.from(honest, (score) => (random() < sigmoid(score) ? 1 : 0));
  const error = (scores: Float64Array): number => {
    const map = fitMap(scores, right);
    return calibrationError(
      [...scores].map((score, at) => ({ probability: applyMap(map, score), right: right[at] === 1 })),
    );
  };
  expect(
    calibrationError([...honest].map((s, at) => ({ probability: sigmoid(3 * s), right: right[at] === 1 }))),
  ).toBeGreaterThan(0.08);
  expect(error(honest.map((score) => 3 * score))).toBeLessThan(0.025);
  const map = fitMap(honest, right);
  for (const score of [-2, 0, 2]) expect(Math.abs(applyMap(map, score) - sigmoid(score))).toBeLessThan(0.05);
});

it("takes a map with steps where the curve is no logistic one, and it never falls", () => {
  const random = randomOf(5);
  const scores = Float64Array.from({ length: 4_000 }, () => 8 * (random() - 0.5));
  const right = Uint8Array.from(scores, (score) => (random() < (score < -2 ? 0.05 : score < 2 ? 0.5 : 0.6) ? 1 : 0));
  const map = fitMap(scores, right);
  expect(map.kind).toBe("isotonic");
  const levels = Array.from({ length: 81 }, (_, at) => applyMap(map, at / 10 - 4));
  expect(levels.every((level, at) => at === 0 || level >= (levels[at - 1] as number))).toBe(true);
  expect(applyMap(map, 0)).toBeCloseTo(0.5, 1);
});

it("changes little on the word of few examples", () => {
  const map = fitMap(Float64Array.of(1, 2), Uint8Array.of(0, 0));
  expect(applyMap(map, 2)).toBeGreaterThan(0.3);
});

it("finds the temperature by which scores were made too sharp", () => {
  const random = randomOf(9);
  const [classes, n] = [3, 3_000];
  const scores = new Float32Array(n * classes);
  const targets = new Int32Array(n);
  for (let at = 0; at < n; at++) {
    const odds = Array.from({ length: classes }, () => 3 * random());
    const weights = odds.map(Math.exp);
    const pick = random() * weights.reduce((sum, weight) => sum + weight, 0);
    targets[at] = weights.findIndex(
      (_, last) => weights.slice(0, last + 1).reduce((sum, weight) => sum + weight, 0) >= pick,
    );
    scores.set(
      odds.map((odd) => 4 * odd),
      at * classes,
    );
  }
  expect(fitTemperature(scores, targets, classes)).toBeCloseTo(4, 0);
});
