import { describe, expect, it } from "vitest";
import { allCourses, ways } from "./effects.fixture.ts";

describe.each([
  ["whose target knows it by its key", true],
  ["whose target knows no keys", false],
])("a write %s", (_what, honours) => {
  it.each(ways)(
    "takes effect once at most, whatever goes wrong three times, with a worker lost anywhere, in a run that $name",
    { timeout: 1_200_000 },
    async (way) => {
      const cases = await allCourses(way, honours, { faults: 3, crashes: 1 });
      console.log(`${cases} courses of a run that ${way.name}, ${honours ? "with" : "without"} keys`);
      expect(cases).toBeGreaterThan(1_000);
    },
  );
});
