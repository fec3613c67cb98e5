import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ifMatchHolds, ifNoneMatchHolds, parseTagList, strongEtag, type TagList } from "./etag.ts";

function list(text: string): TagList {
  const result = parseTagList(text, "If-Match");
  if (!result.ok) throw new Error(result.fault.detail);
  return result.list;
}

describe("entity tags", () => {
  it("differ by revision and by representation, and are strong", () => {
    expect(strongEtag(7, "json")).toBe('"7-json"');
    expect(new Set([strongEtag(7, "json"), strongEtag(7, "yaml"), strongEtag(8, "json")]).size).toBe(3);
    for (const revision of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(() => strongEtag(revision, "json")).toThrow(RangeError);
    expect(strongEtag("ver_01", "yaml")).toBe('"ver_01-yaml"');
    expect(() => strongEtag(1, 'a"b')).toThrow(RangeError);
    expect(() => strongEtag('a"b', "json")).toThrow(RangeError);
  });

  it("are read in lists of any length up to 32", () => {
    const tag = fc.record({
      weak: fc.boolean(),
      value: fc.string({ unit: fc.constantFrom("a", "1", "-", ",", "!", "\u00e9") }),
    });
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 32 }), fc.constantFrom(",", ", ", " ,\t"), (tags, comma) => {
        const text = tags.map(({ weak, value }) => `${weak ? "W/" : ""}"${value}"`).join(comma);
        expect(list(text)).toEqual({ any: false, tags });
      }),
    );
    expect(list(" * ")).toEqual({ any: true });
  });

  it("are refused in any other form, naming the header", () => {
    const wrong = [
      "",
      "7-json",
      '"7',
      '"a" "b"',
      '"a",',
      ',"a"',
      '*, "a"',
      'w/"a"',
      'W/ "a"',
      "'a'",
      '"a b"',
      '"a"x',
      Array(33).fill('"a"').join(),
    ];
    for (const text of wrong)
      expect(parseTagList(text, "If-Match"), text).toMatchObject({
        ok: false,
        fault: { header: "If-Match", code: "invalid_entity_tag" },
      });
  });
});

describe("conditions", () => {
  it("let a change through only for a strong tag of the present revision", () => {
    const both = ["json", "yaml"];
    expect(ifMatchHolds(list('"7-json"'), 7, both)).toBe(true);
    expect(ifMatchHolds(list('"6-json", "7-yaml"'), 7, both)).toBe(true);
    expect(ifMatchHolds(list('W/"7-json"'), 7, both)).toBe(false);
    expect(ifMatchHolds(list('"7-xml"'), 7, both)).toBe(false);
    expect(ifMatchHolds(list('"6-json"'), 7, both)).toBe(false);
  });

  it("let * through when there is something, and nothing through when there is none", () => {
    expect(ifMatchHolds(list("*"), 7, ["json"])).toBe(true);
    expect(ifMatchHolds(list("*"), null, ["json"])).toBe(false);
    expect(ifMatchHolds(list('"7-json"'), null, ["json"])).toBe(false);
  });

  it("hold a read back when the caller has this representation, weakly compared", () => {
    expect(ifNoneMatchHolds(list('"7-json"'), '"7-json"')).toBe(false);
    expect(ifNoneMatchHolds(list('W/"7-json"'), '"7-json"')).toBe(false);
    expect(ifNoneMatchHolds(list("*"), '"7-json"')).toBe(false);
    expect(ifNoneMatchHolds(list('"7-yaml"'), '"7-json"')).toBe(true);
    expect(ifNoneMatchHolds(list("*"), null)).toBe(true);
  });
});
