import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearestName } from "./suggest.ts";

describe("the nearest name", () => {
  it("finds the name behind a typing error", () => {
    const names = ["limit", "cursor", "status", "created_after", "created_before"];
    expect(nearestName("limt", names)).toBe("limit");
    expect(nearestName("curosr", names)).toBe("cursor");
    expect(nearestName("createdAfter", names)).toBe("created_after");
    expect(nearestName("STATUS", names)).toBe("status");
  });

  it("is silent when no name is near", () => {
    expect(nearestName("colour", ["limit", "cursor"])).toBeNull();
    expect(nearestName("x", ["y", "z"])).toBeNull();
    expect(nearestName("anything", [])).toBeNull();
  });

  it("always finds a name that is only one edit away", () => {
    const names = ["require_approval", "labels", "deadline", "priority"];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("a", "q", "z", ""), (name, at, replacement) => {
        const place = at % name.length;
        expect(nearestName(name.slice(0, place) + replacement + name.slice(place + 1), names)).toBe(name);
      }),
    );
  });

  it("measures a distance: zero for equals, symmetric, one for a swap of neighbours", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
    expect(editDistance("cursor", "cusror")).toBe(1);
  });

  it("stays cheap for names of any length", () => {
    expect(nearestName("x".repeat(1_000_000), ["limit", "cursor"])).toBeNull();
  });
});
