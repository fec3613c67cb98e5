import { describe, expect, it } from "vitest";
import { allCourses, ways } from "./effects.fixture.ts";

describe.each([
  ["whose target knows it by its key", true],
  ["whose target knows no keys", false],
])("a write %s", (what, honours) => {
  it.each(ways)("takes effect once at most, in every course of a run that $name", { timeout: 600_000 }, async (way) => {
    const thrice = await allCourses(way, honours, { faults: 3, crashes: 0 });
    const lost = await allCourses(way, honours, { faults: 2, crashes: 1 });
    console.log(
      `a write ${what}, a run that ${way.name}: ${thrice} courses with three faults, ${lost} with two and a lost worker`,
    );
    expect(Math.min(thrice, lost)).toBeGreaterThan(1_000);
  });
});
