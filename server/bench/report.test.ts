import { describe, expect, it } from "vitest";
import type { Result } from "./figure.ts";
import { judge, shown, table } from "./report.ts";

const ratio: Result = { what: "ratio to echo", value: 0.2, unit: "", bar: 0.18, aim: 0.3, better: "higher" };
const time: Result = { what: "p99", value: 31, unit: "ms", bar: 30, aim: 12, better: "lower" };

describe("judging a figure", () => {
  it("holds a ratio that should be high against its bar from below", () => {
    expect([0.17, 0.18, 0.3].map((value) => judge({ ...ratio, value }))).toEqual(["miss", "bar", "aim"]);
  });
  it("holds a time that should be low against its bar from above", () => {
    expect([30.1, 30, 12].map((value) => judge({ ...time, value }))).toEqual(["miss", "bar", "aim"]);
  });
  it("judges nothing that has no bar", () => {
    expect(judge({ ...time, bar: null, aim: null })).toBe("told");
  });
});

describe("the table", () => {
  it("shows a miss and a figure that broke", () => {
    const text = table(
      [
        { figure: "dispatch", results: [ratio, time], broken: null },
        { figure: "read", results: [], broken: "wrk is missing" },
      ],
      false,
    );
    const lines = text.split("\n");
    expect(lines[2]).toMatch(/^dispatch +ratio to echo +0.18 +0.3 +0.2 +pass$/);
    expect(lines[3]).toMatch(/31 ms +MISS$/);
    expect(lines[4]).toContain("broken: wrk is missing");
  });
  it("colours misses red and passes green", () => {
    const text = table([{ figure: "dispatch", results: [ratio, time], broken: null }], true);
    expect(text).toContain("\u001b[32mdispatch");
    expect(text).toContain("\u001b[31mdispatch");
  });
});

describe("a value", () => {
  it("has three to four digits and its unit", () => {
    expect([shown(0.1834, ""), shown(1.25, "×"), shown(14_032.2, "/s"), shown(29.96, "ms")]).toEqual([
      "0.183",
      "1.25×",
      "14,032/s",
      "30 ms",
    ]);
  });
});
