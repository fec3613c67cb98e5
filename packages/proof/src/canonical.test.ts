import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatedName } from "./canonical.ts";

const awkward = fc.constantFrom('"', "\\", '\\"', "{", "}", "[", ":", ",", "a", "", "\u2028", "__proto__");
const text = fc.oneof(awkward, fc.string({ unit: "binary" }));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double(),
    fc.constant(null),
    fc.array(tie("value")),
    fc.dictionary(text, tie("value")),
  ),
}));
/** Every object of a value, however deep. */
function objectsOf(one: unknown): Record<string, unknown>[] {
  if (typeof one !== "object" || one === null) return [];
  const inner = Object.values(one).flatMap(objectsOf);
  return Array.isArray(one) ? inner : [one as Record<string, unknown>, ...inner];
}

describe("a member name that occurs twice", () => {
  it("is found nowhere in what JSON.stringify writes, indented or not", () => {
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(0, 2),
        (one, indent) => void expect(repeatedName(JSON.stringify(one, null, indent))).toBeNull(),
      ),
    );
  });

  it("is found in whichever object it stands, also where an escape writes it", () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.nat(), fc.boolean(), (one, which, member, escaped) => {
        const objects = objectsOf(one).filter((object) => Object.keys(object).length > 0);
        fc.pre(objects.length > 0);
        const names = Object.keys(objects[which % objects.length]!);
        const name = names[member % names.length]!;
        const marked = objects[which % objects.length]!;
        const again = escaped ? `"${escapedOf(name)}"` : JSON.stringify(name);
        const written = write(one, marked, again);
        expect(() => JSON.parse(written)).not.toThrow();
        expect(repeatedName(written)).toBe(JSON.parse(again));
      }),
    );
  });

  it("is found behind a long text of many escapes", () => {
    const long = JSON.stringify('x\\"'.repeat(1_000_000));
    expect([repeatedName(`{"a":${long},"b":1}`), repeatedName(`{"a":${long},"b":1,"a":2}`)]).toEqual([null, "a"]);
  });

  it("may stand in several objects", () => {
    expect(repeatedName('[{"a":{"a":1}},{"a":":{\\"a\\":1,\\"a\\":2}"}]')).toBeNull();
  });
});

const escapedOf = (name: string): string =>
  [...Array(name.length).keys()].map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** JSON in which one object ends with a further member. */
function write(one: unknown, marked: object, again: string): string {
  if (typeof one !== "object" || one === null) return JSON.stringify(one);
  if (Array.isArray(one)) return `[${one.map((item) => write(item, marked, again)).join(",")}]`;
  const members = Object.entries(one).map(([name, item]) => `${JSON.stringify(name)}:${write(item, marked, again)}`);
  return `{${[...members, ...(one === marked ? [`${again}:0`] : [])].join(",")}}`;
}
