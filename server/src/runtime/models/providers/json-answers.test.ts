import { describe, expect, it } from "vitest";
import { isStrict } from "./json-answers.ts";

describe("a schema that OpenAI can keep to", () => {
  const closed = (properties: object, required = Object.keys(properties)) => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });

  it("is closed and asks for all of its members, at every depth", () => {
    expect(
      isStrict(
        closed({ a: { type: "string" }, b: { type: "array", items: closed({ c: { type: ["number", "null"] } }) } }),
      ),
    ).toBe(true);
    expect(isStrict(closed({ a: { type: "string" }, b: { type: "string" } }, ["a"]))).toBe(false);
    expect(isStrict({ type: "object", properties: {}, required: [] })).toBe(false);
    expect(isStrict(closed({ b: { type: "array", items: { type: "object", properties: { c: {} } } } }))).toBe(false);
    expect(isStrict(closed({ b: { anyOf: [closed({}), { type: "object" }] } }))).toBe(false);
    expect(isStrict({ ...closed({ b: { $ref: "#/$defs/b" } }), $defs: { b: { type: "object" } } })).toBe(false);
  });

  it("uses no keyword that is not known there, and is an object", () => {
    expect(isStrict(closed({ a: { type: "string", minLength: 2 } }))).toBe(false);
    expect(isStrict(closed({ a: { oneOf: [{ type: "string" }] } }))).toBe(false);
    expect([isStrict(true), isStrict({}), isStrict({ type: "string" }), isStrict(null)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
