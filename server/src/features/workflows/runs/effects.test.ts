import { describe, expect, it } from "vitest";
import { allCourses, ways } from "./effects.fixture.ts";

describe.each([
  ["whose target knows it by its key", true],
  ["whose target knows no keys", false],
])("a write %s", (_what, honours) => {
  it.each(ways)("takes effect once at most, whatever goes wrong twice in a run that $name", async (way) => {
    expect(await allCourses(way, honours, { faults: 2, crashes: 0 })).toBeGreaterThan(100);
  });

  it.each(ways)("takes effect once at most, wherever a worker is lost in a run that $name", async (way) => {
    expect(await allCourses(way, honours, { faults: 1, crashes: 1 })).toBeGreaterThan(100);
  });
});
