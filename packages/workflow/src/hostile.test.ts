import { Budget } from "@aos/cel";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hostileExpression, hostileInput, randomOf } from "./hostile.fixture.ts";
import { expectBounded, outcomeOf } from "./hostile-bound.fixture.ts";

it("ends every hostile expression within what it may cost, by a value or a fault of its own", () => {
  fc.assert(fc.property(fc.nat(), expectBounded), { numRuns: 60 });
}, 120_000);

it("counts the same for the same expression and values, whatever was evaluated before", () => {
  const run = (seed: number) => {
    const random = randomOf(seed);
    const [input, source] = [hostileInput(random), hostileExpression(random)];
    const budget = new Budget({ perExpression: 400_000, total: 400_000 });
    return { outcome: outcomeOf(source, input, budget), used: budget.used };
  };
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(run(seed)).toEqual(run(seed));
    }),
    { numRuns: 10 },
  );
}, 120_000);
