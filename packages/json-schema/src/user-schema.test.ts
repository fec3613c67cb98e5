import { describe, expect, it } from "vitest";
import { compileUserSchema } from "./index.ts";

const refused = (schema: unknown) => {
  const result = compileUserSchema(schema);
  return result.ok ? [] : result.faults;
};
const compiled = (schema: unknown) => {
  const result = compileUserSchema(schema);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.validate;
};
const within = (ms: number, act: () => void) => {
  const start = performance.now();
  act();
  expect(performance.now() - start).toBeLessThan(ms);
};

describe("a schema of a user's", () => {
  it("may be the input of the sample skill", () => {
    const validate = compiled({
      type: "object",
      required: ["lead_id"],
      properties: { lead_id: { type: "string", pattern: "^ld_" } },
    });
    expect(validate({ lead_id: "ld_1" })).toEqual([]);
    expect(validate({ lead_id: "xy" })).toEqual([
      { pointer: "/lead_id", code: "pattern", detail: "must match the pattern `^ld_`" },
    ]);
    expect(validate({})).toEqual([{ pointer: "/lead_id", code: "required", detail: "is required; add it" }]);
  });

  it("stops before its patterns have been tried on more text than they may", () => {
    const validate = compiled({ type: "array", items: { type: "string", pattern: "^(?:[ab]*a[ab]{90}){5}c" } });
    expect(validate(["ab".repeat(100)])).toMatchObject([{ pointer: "/0", code: "pattern" }]);
    within(500, () => {
      for (const value of [Array(2_000).fill("ab".repeat(50)), Array(100).fill("ab".repeat(8_000))])
        expect(validate(value)).toEqual([
          { pointer: "", code: "expression_too_costly", detail: expect.stringMatching(/bound them with maxLength$/) },
        ]);
    });
  });

  it("may refer to its own definitions, and use combinations, formats and annotations", () => {
    const validate = compiled({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { money: { type: "number", minimum: 0 } },
      type: "object",
      properties: {
        net: { $ref: "#/$defs/money" },
        gross: { $ref: "#/$defs/money" },
        mail: { type: "string", format: "email", "x-data-class": "personal" },
        tags: { type: "array", items: { type: "string" }, uniqueItems: true },
      },
      patternProperties: { "^x_[a-z]+$": { type: ["string", "null"] } },
      additionalProperties: false,
    });
    expect(validate({ net: 1, gross: 2, mail: "a@example.com", tags: ["a", "b"], x_note: null })).toEqual([]);
    expect(
      validate({ net: -1, mail: "a", tags: ["a", "a"], x_1: "", x_note: 3 }).map((fault) => [
        fault.pointer,
        fault.code,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["/net", "too_small"],
        ["/mail", "format"],
        ["/tags", "duplicate_items"],
        ["/x_1", "unknown_field"],
        ["/x_note", "type"],
      ]),
    );
  });

  it("is told where and why when it is not accepted", () => {
    const cases: [unknown, string, string][] = [
      [7, "", "invalid_schema"],
      [[], "", "invalid_schema"],
      [{ type: "texts" }, "/type", "invalid_schema"],
      [{ type: "string", maxLenght: 3 }, "", "invalid_schema"],
      [{ properties: { a: { minimum: "1" } } }, "/properties/a/minimum", "invalid_schema"],
      [{ $ref: "https://example.com/schema.json" }, "/$ref", "reference_refused"],
      [{ properties: { "a/b": { $ref: "other.json" } } }, "/properties/a~1b/$ref", "reference_refused"],
      [{ $ref: "#/$defs/missing" }, "/$ref", "reference_refused"],
      [{ $ref: "#" }, "/$ref", "reference_refused"],
      [{ $id: "https://example.com/a" }, "/$id", "keyword_refused"],
      [{ $dynamicRef: "#a" }, "/$dynamicRef", "keyword_refused"],
      [{ $schema: "http://json-schema.org/draft-04/schema#" }, "/$schema", "keyword_refused"],
      [{ type: "string", pattern: "(a)\\1" }, "/pattern", "pattern_refused"],
      [{ type: "string", pattern: "(?=a)" }, "/pattern", "pattern_refused"],
      [{ patternProperties: { "(": true } }, "/patternProperties/(", "pattern_refused"],
      [{ type: "string", format: "regex" }, "/format", "format_refused"],
      [{ type: "array", uniqueItems: true }, "/uniqueItems", "keyword_refused"],
      [{ type: "array", uniqueItems: true, items: { type: "object" } }, "/uniqueItems", "keyword_refused"],
    ];
    for (const [schema, pointer, code] of cases)
      expect(refused(schema)[0], JSON.stringify(schema)).toMatchObject({ pointer, code });
  });

  it("may not contain itself, directly or in a circle", () => {
    expect(refused({ $defs: { a: { properties: { x: { $ref: "#/$defs/a" } } } }, $ref: "#/$defs/a" })[0]).toMatchObject(
      {
        code: "schema_too_large",
      },
    );
    expect(refused({ $defs: { a: { $ref: "#/$defs/b" }, b: { items: { $ref: "#/$defs/a" } } } })[0]).toMatchObject({
      code: "schema_too_large",
    });
  });

  it("may not grow without bounds when its references are written out", () => {
    const $defs: Record<string, object> = { d0: { type: "string" } };
    for (let n = 1; n <= 20; n++)
      $defs[`d${n}`] = { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] };
    expect(refused({ $defs, $ref: "#/$defs/d20" })[0]).toMatchObject({ code: "schema_too_large" });
    let deep: object = { type: "string" };
    for (let n = 0; n < 100_000; n++) deep = { not: deep };
    expect(refused(deep)[0]).toMatchObject({ code: "schema_too_large" });
    expect(refused({ description: "x".repeat(40_000) })[0]).toMatchObject({ code: "schema_too_large" });
  });

  it("cannot slow a call down by its patterns, formats or lists, whatever the input", () => {
    const evil = compiled({
      type: "object",
      properties: {
        a: { type: "string", pattern: "^(a+)+$" },
        b: { type: "string", pattern: "^(a|a)*b$" },
        c: { type: "array", items: { type: "number" }, uniqueItems: true },
      },
    });
    const long = `${"a".repeat(16_000)}!`;
    within(5000, () =>
      expect(evil({ a: long, b: long, c: Array.from({ length: 100_000 }, (_, n) => n) })).toHaveLength(1),
    );
    for (const format of [
      "date",
      "time",
      "date-time",
      "duration",
      "email",
      "hostname",
      "ipv4",
      "ipv6",
      "uri",
      "uuid",
    ]) {
      const validate = compiled({ type: "string", format });
      for (const part of ["a", "1", "a.", "1:", "::", "a-", "%20", "https://a/", "@", "P1D", "::1.", "0."]) {
        within(5000, () => validate(`${part.repeat(Math.floor(1_000_000 / part.length))}\n`));
      }
    }
  });

  it("sees own members only: an inherited name is missing, not present", () => {
    const validate = compiled({
      type: "object",
      required: ["constructor"],
      properties: { toString: { type: "number" } },
    });
    expect(validate({})).toEqual([{ pointer: "/constructor", code: "required", detail: "is required; add it" }]);
    expect(validate({ constructor: 1 })).toEqual([]);
  });
});
