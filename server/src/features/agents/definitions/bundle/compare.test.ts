import { canonicalJson } from "@aos/strict-json";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compare } from "./compare.ts";

/** Names that are made of another name and a number, as the second item of a name could be told by. */
const name = fc.constantFrom("a", "a 2", "a 3", "2 a", "a 2 2");
const anyItem = fc.oneof(
  name,
  fc.integer({ min: 1, max: 3 }),
  fc.record({ name, by: fc.constantFrom("x", "y") }, { requiredKeys: ["name"], noNullPrototype: true }),
  fc.record({ input: fc.oneof(name, fc.integer({ min: 1, max: 2 })) }, { noNullPrototype: true }),
);
const anyList = fc.array(anyItem, { maxLength: 6 });

it("shows that one of several items of a name is gone, also where another item is named as the second of them would be told", () => {
  const before = [{ name: "approve" }, { name: "approve", by: "cfo" }, { name: "approve 2" }];
  expect(compare({ list: before }, { list: [{ name: "approve" }, { name: "approve 2" }] })).toEqual([
    { pointer: "/list/1", path: ["list", "approve (2)"], kind: "removed", before: { name: "approve", by: "cfo" } },
  ]);
});

it("is empty exactly where both say the same, and tells as many items gone and come as the lists differ in length", () => {
  fc.assert(
    fc.property(anyList, anyList, (before, after) => {
      const found = compare({ list: before }, { list: after });
      expect(found.length === 0).toBe(canonicalJson(before) === canonicalJson(after));
      const count = (kind: string): number => found.filter((one) => one.path.length === 2 && one.kind === kind).length;
      expect(before.length + count("added") - count("removed")).toBe(after.length);
    }),
  );
});
