import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionOf, scoreOf, scorerFaults } from "./rules.ts";
import type { ScorerParameters, SetScorerBody } from "./schemas.ts";

const score = (
  kind: SetScorerBody["kind"],
  output: unknown,
  expected: unknown,
  parameters: ScorerParameters = {},
  pointer = "",
) => scoreOf(definitionOf({ kind, pointer, parameters, samples: [] }), output, expected);

describe("exact", () => {
  it("is 1 where the value at the place is the expected one, whatever the order of members", () => {
    expect(score("exact", { a: { x: 1, y: [1, 2] } }, { a: { y: [1, 2], x: 1 } })).toBe(1);
    expect(score("exact", { a: [2, 1] }, { a: [1, 2] })).toBe(0);
    expect(score("exact", { team: "partners", reason: "x" }, { team: "partners" }, {}, "/team")).toBe(1);
    expect(score("exact", { team: "partners", reason: "x" }, { team: "partners" })).toBe(0);
    expect(score("exact", {}, { team: "partners" }, {}, "/team")).toBe(0);
  });

  it("overlooks capital letters and white space where told", () => {
    expect(score("exact", { a: "Yes " }, { a: "yes" })).toBe(0);
    expect(score("exact", { a: "Yes " }, { a: "yes" }, { case_sensitive: false })).toBe(0);
    expect(score("exact", { a: "Yes " }, { a: "yes" }, { case_sensitive: false, trim: true })).toBe(1);
  });

  it("tells types apart", () => {
    expect(score("exact", { a: "1" }, { a: 1 })).toBe(0);
    expect(score("exact", { a: null }, { a: null })).toBe(1);
    expect(score("exact", { a: -0 }, { a: 0 })).toBe(1);
  });
});

describe("json_match", () => {
  it("is the share of expected values that stand at the same places, and overlooks what else is there", () => {
    expect(
      score("json_match", { a: 1, b: { c: "x", d: true }, more: 1 }, { a: 1, b: { c: "x", d: false } }),
    ).toBeCloseTo(2 / 3);
    expect(score("json_match", { a: 1, b: 2, more: 3 }, { a: 1, b: 2 })).toBe(1);
    expect(score("json_match", { list: [1, 2, 3] }, { list: [1, 5, 3] })).toBeCloseTo(2 / 3);
  });

  it("overlooks places that it is told to, and takes nothing for a part where all has to be right", () => {
    expect(score("json_match", { a: 1, b: 2 }, { a: 1, b: 3 }, { ignore: ["/b"] })).toBe(1);
    expect(score("json_match", { a: 1, b: 2 }, { a: 1, b: 3 }, { all_or_nothing: true })).toBe(0);
    expect(score("json_match", { a: 1, b: 3 }, { a: 1, b: 3 }, { all_or_nothing: true })).toBe(1);
    expect(score("json_match", { a: 1 }, { a: 1 }, { ignore: ["/a"] })).toBeNull();
  });

  it("looks below a place only, where told one", () => {
    expect(score("json_match", { a: { b: 1 }, c: 1 }, { a: { b: 1 }, c: 2 }, {}, "/a")).toBe(1);
  });
});

describe("numeric_tolerance", () => {
  it("takes a number that is near enough, by the wider of both tolerances", () => {
    const near = (given: number, parameters: ScorerParameters) =>
      score("numeric_tolerance", { n: given }, { n: 200 }, parameters, "/n");
    expect(near(201, { absolute: 1 })).toBe(1);
    expect(near(201.5, { absolute: 1 })).toBe(0);
    expect(near(210, { relative: 0.05 })).toBe(1);
    expect(near(211, { relative: 0.05 })).toBe(0);
    expect(near(210, { absolute: 1, relative: 0.05 })).toBe(1);
    expect(near(-200, { absolute: 1 })).toBe(0);
  });

  it("scores 0 what is no number, and says nothing where none is expected", () => {
    expect(score("numeric_tolerance", { n: "200" }, { n: 200 }, { absolute: 1 }, "/n")).toBe(0);
    expect(score("numeric_tolerance", { n: 200 }, { n: "200" }, { absolute: 1 }, "/n")).toBeNull();
  });
});

describe("contains", () => {
  const text = { summary: "Ember Looms wants Team.", list: ["next quarter", { deep: 48 }] };
  it("is the share of expected texts that stand in the output's texts, capital letters or not", () => {
    expect(score("contains", text, { summary: ["ember looms", "Plant"] }, {}, "/summary")).toBe(0.5);
    expect(score("contains", text, { summary: "ember looms" }, { case_sensitive: true }, "/summary")).toBe(0);
    expect(score("contains", text, {}, { values: ["NEXT quarter", "48", "Team"] })).toBe(1);
  });

  it("is content with one of the texts where told, and refuses texts that must not stand there", () => {
    expect(score("contains", text, {}, { values: ["Plant", "Team"], any: true })).toBe(1);
    expect(score("contains", text, {}, { values: ["Plant", "Basic"], any: true })).toBe(0);
    expect(score("contains", text, {}, { values: ["Team"], absent: ["looms"] })).toBe(0);
    expect(score("contains", text, {}, { absent: ["discount"] })).toBe(1);
  });

  it("scores a missing text 0", () => {
    expect(score("contains", {}, { summary: "x" }, {}, "/summary")).toBe(0);
  });
});

it("has nothing to say of an item that does not expect anything at its place", () => {
  for (const kind of ["exact", "json_match", "numeric_tolerance", "contains"] as const) {
    expect([kind, score(kind, { a: 1 }, {}, {}, "/a"), score(kind, { a: 1 }, {})]).toEqual([kind, null, null]);
  }
});

it("scores from 0 to 1, and an output that is the expectation 1", () => {
  const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), {
    minKeys: 1,
    maxKeys: 4,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(
      json,
      json,
      fc.constantFrom("exact" as const, "json_match" as const, "contains" as const),
      (output, expected, kind) => {
        const given = score(kind, output, expected);
        if (given !== null) expect(given >= 0 && given <= 1).toBe(true);
        expect([1, null]).toContain(score(kind, expected, expected));
      },
    ),
  );
});

describe("a scorer that is to be saved", () => {
  const sample = { output: { a: 1 }, expected: { a: 1 }, score: 1 };
  it("must score each sample as told", () => {
    const faults = scorerFaults({
      kind: "exact",
      samples: [sample, { ...sample, score: 0 }, { output: { a: 1 }, score: 1 }],
    });
    expect(faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/samples/1/score", "sample_disagrees"],
      ["/samples/2/score", "sample_disagrees"],
    ]);
    expect(faults[0]?.detail).toContain("the scorer scores it 1");
    expect(faults[1]?.detail).toContain("has nothing to say");
    expect(scorerFaults({ kind: "exact", samples: [sample, { output: { a: 1 }, score: null }] })).toEqual([]);
  });

  it("takes the parameters of its own kind only, and a tolerance that is one", () => {
    const pointers = (body: SetScorerBody) => scorerFaults(body).map(({ pointer }) => pointer);
    expect(pointers({ kind: "exact", parameters: { absolute: 1, trim: true }, samples: [sample] })).toEqual([
      "/parameters/absolute",
    ]);
    expect(pointers({ kind: "numeric_tolerance", pointer: "/a", samples: [sample] })).toEqual(["/parameters"]);
    expect(
      pointers({ kind: "numeric_tolerance", pointer: "/a", parameters: { absolute: 0 }, samples: [sample] }),
    ).toEqual([]);
  });

  it("leaves a body of another shape to the schema", () => {
    for (const body of [
      {},
      { kind: "__proto__", samples: [1] },
      { kind: "contains", parameters: { values: "x" }, samples: [sample] },
    ]) {
      expect(scorerFaults(body as unknown as SetScorerBody)).toEqual([]);
    }
  });
});
