import { describe, expect, it } from "vitest";
import type { ListingPermission } from "../../api/marketplace.ts";
import { differenceOf } from "./difference.ts";
import { outOfReach } from "./reach.ts";
import { findingsOf } from "./sarif.ts";
import { nextVersion, scanText } from "./words.ts";

const asks = (kind: ListingPermission["kind"], value: Record<string, unknown>): ListingPermission => ({
  id: `${kind}:x`,
  kind,
  level: "low",
  text: kind,
  value,
});

describe("what a bundle cannot reach", () => {
  it("is told only where nothing of its kind is asked for", () => {
    const closed = [asks("model", { provider: "builtin" }), asks("knowledge", { base: "own", documents: 3 })];
    expect(outOfReach("agent", closed)).toEqual([
      expect.stringContaining("No address outside"),
      expect.stringContaining("No tools"),
      expect.stringContaining("None of your connections"),
      expect.stringContaining("but those that it brings"),
      expect.stringContaining("does not start by itself"),
    ]);
    const open = [
      asks("model", { provider: "openai" }),
      asks("tool", { effect: "write" }),
      asks("connection", {}),
      asks("knowledge", { base: "yours", documents: null }),
      asks("trigger", {}),
    ];
    expect(outOfReach("agent", open)).toEqual([]);
  });

  it("of a workflow says nothing of what the agents that it sets to work may reach", () => {
    expect(outOfReach("workflow", [asks("tool", { agent: "sales" }), asks("trigger", {})])).toEqual([
      expect.stringContaining("which keep their own limits"),
    ]);
  });
});

describe("what changed between two lists of permissions", () => {
  it("is what was added, removed, or asks for something else under the same id", () => {
    const before = [asks("tool", { effect: "read" }), asks("model", { provider: "builtin" })];
    const after = [asks("tool", { effect: "write" }), asks("budget", {})];
    expect(differenceOf(before, after)).toEqual({
      added: [after[1]],
      removed: [before[1]],
      changed: [{ before: before[0], after: after[0] }],
    });
    expect(differenceOf(before, before)).toEqual({ added: [], removed: [], changed: [] });
  });
});

describe("the findings of a scan", () => {
  it("stand with errors first, and a log of another shape has none", () => {
    const result = (level: string) => ({ ruleId: "r", level, message: { text: level } });
    const rules = [{ id: "r", shortDescription: { text: "A rule." } }];
    const sarif = { runs: [{ tool: { driver: { rules } }, results: [result("note"), result("error")] }] };
    expect(findingsOf(sarif)).toMatchObject([
      { level: "error", title: "A rule", line: null },
      { level: "note", message: "note" },
    ]);
    expect(findingsOf({ runs: "none" })).toEqual([]);
  });

  it("are counted in words", () => {
    expect(scanText({ error: 1, warning: 0, note: 2 })).toBe("1 error, 2 notes");
    expect(scanText({ error: 0, warning: 0, note: 0 })).toBe("nothing found");
  });
});

it("proposes the next minor version", () => {
  expect(nextVersion("1.4.2")).toBe("1.5.0");
});
