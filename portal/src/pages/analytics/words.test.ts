import { describe, expect, it } from "vitest";
import { change, measureText } from "./words.ts";

describe("a measure", () => {
  it("is written in its unit", () => {
    const told = [
      ["tasks", 1234],
      ["success_rate", 0.914],
      ["cost_usd", 12.5],
      ["duration_p90", 75],
      ["trust_mean", 0.8149],
      ["tokens", 12_345_678],
      ["unknown_rate", 0.004],
    ] as const;
    expect(told.map(([name, value]) => measureText(name, value))).toEqual([
      "1,234",
      "91 %",
      "$12.50",
      "1 min 15 s",
      "0.81",
      "12.3M",
      "0.4 %",
    ]);
  });

  it("says how it changed, in points where it is a share, and whether that is good", () => {
    expect(change("accepted_rate", 0.82, 0.9)).toEqual({ text: "▼ 8 points", tone: "bad" });
    expect(change("cost_usd", 5, 10)).toEqual({ text: "▼ 50 %", tone: "good" });
    expect(change("tasks", 30, 20)).toEqual({ text: "▲ 50 %", tone: "neutral" });
    expect(change("tasks", 30, 0)).toEqual({ text: "from 0", tone: "neutral" });
    expect(change("failed", 10, 10)).toEqual({ text: "unchanged", tone: "neutral" });
    expect(change("failed", 10, null)).toBeNull();
  });
});
