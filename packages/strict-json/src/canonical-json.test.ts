import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonical JSON", () => {
  it("writes the sorting example of RFC 8785 section 3.2.3", () => {
    const input = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew",
      "1": "One",
      "\u{1f600}": "Emoji",
      "\u0080": "Control",
      "\u00f6": "Latin",
    };
    const names = [...canonicalJson(input).matchAll(/:"(\w+)/g)].map((match) => match[1]);
    expect(names).toEqual(["Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"]);
  });

  it("keeps the value and forgets the order of members", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
        expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it("leaves out members without a value and refuses what JSON cannot say", () => {
    expect(canonicalJson({ b: undefined, a: [null, 1e21] })).toBe('{"a":[null,1e+21]}');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, undefined, () => 1])
      expect(() => canonicalJson({ a: [value].at(0), b: value === undefined ? Symbol() : value })).toThrow(TypeError);
  });
});
