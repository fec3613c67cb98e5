import { expect, it } from "vitest";
import { evaluatorFindings } from "./evaluators.ts";

const found = (file: string, text: string, own: Record<string, string> = {}) =>
  evaluatorFindings([{ file, text }], own).map(({ line, what }) => `${line} ${what.split(";")[0]}`);

it("finds an environment of CEL that nobody counts", () => {
  expect(found("server/src/features/a/b.ts", "\nnew Environment({})")).toEqual(["2 evaluates CEL without counting"]);
  expect(found("packages/cel/src/meter.ts", "new Environment({})")).toEqual([]);
});

it("finds a pattern that is made at run time, unless its file is listed, and a file that is listed in vain", () => {
  const pattern = "new RegExp(name)";
  expect(found("packages/a/src/b.ts", pattern)).toEqual([expect.stringContaining("1 may run a caller's pattern")]);
  expect(found("packages/a/src/b.ts", pattern, { "packages/a/src/b.ts": "own" })).toEqual([]);
  expect(found("packages/a/src/b.ts", "", { "packages/a/src/b.ts": "own" })).toEqual(["1 makes no pattern any more"]);
  expect(found("packages/a/src/b.test.ts", pattern)).toEqual([]);
});
