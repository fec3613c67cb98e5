import fc from "fast-check";
import { it } from "vitest";
import { expectBounded } from "./hostile-bound.fixture.ts";

it("ends 5,000 hostile expressions within what they may cost", () => {
  fc.assert(fc.property(fc.nat(), expectBounded), { numRuns: 5_000 });
}, 1_200_000);
