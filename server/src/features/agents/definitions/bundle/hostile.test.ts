import { YAML_LIMITS } from "@aos/yaml-source";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fullBundle } from "./bundle.fixture.ts";
import { parseBundleValue, writeBundle } from "./index.ts";

/** What stands in the place of a part that a mutation hits. */
const junk = [
  1,
  "x",
  "",
  null,
  true,
  [],
  {},
  [[1]],
  { a: 1 },
  [null, 2],
  "sk",
  -1e300,
  { type: "object" },
  ["get_contract", 3],
];

/** A copy in which each part is replaced with a chance of one in `odds`. */
function mutated(value: unknown, draw: () => number, odds: number): unknown {
  if (draw() % odds === 0) return junk[draw() % junk.length];
  if (Array.isArray(value)) return value.map((item) => mutated(item, draw, odds));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mutated(item, draw, odds)]));
}

it("answers faults, and never fails, whatever of a bundle has the wrong shape", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(10_000)), fc.integer({ min: 2, max: 60 }), (stream, odds) => {
      const value = mutated(fullBundle, () => stream.next().value as number, odds);
      const read = parseBundleValue(value);
      if (read.ok) expect(writeBundle(read.bundle)).toBeTypeOf("string");
      else expect(read.faults.length).toBeGreaterThan(0);
    }),
  );
});

it("says what it knows where there are more faults of shape than are told", () => {
  const skills = Array.from({ length: 50 }, () => ({ name: 1, input: 1, tools: [1, 2, 3], examples: [7] }));
  const read = parseBundleValue({ agent: "a", description: "", model: { provider: "builtin" }, skills });
  expect(read.ok ? 0 : read.faults.length).toBe(100);
});

it("says the first fault of a value of the largest size, of which validators tell no more", () => {
  const bundleOf = (padding: number) => ({
    agent: "a",
    description: "",
    model: { provider: "builtin" },
    skills: [
      {
        name: "s",
        input: { type: "object" },
        tools: [7, 8],
        examples: [{ input: { a: Array(padding).fill(0) }, output: {} }],
      },
    ],
  });
  const count = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce<number>((sum, item) => sum + count(item), 1)
      : 1;
  const largest = bundleOf(YAML_LIMITS.values - count(bundleOf(0)));
  expect(count(largest)).toBe(YAML_LIMITS.values);
  const read = parseBundleValue(largest);
  expect(read.ok ? [] : read.faults).toMatchObject([{ pointer: "/skills/0/tools/0", code: "type" }]);
});
