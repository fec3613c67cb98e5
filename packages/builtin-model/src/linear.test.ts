import fc from "fast-check";
import { expect, it } from "vitest";
import { sigmoid } from "./exact-math.ts";
import { LinearModel, type Problem, softmax } from "./linear.ts";
import { randomOf, shuffle } from "./random.ts";

const features = 6;
const lambda = 0.5;
const closely = { epochs: 2_000, tolerance: 1e-6 };

/** A problem of dense rows with random targets. */
function problemOf(kind: Problem["kind"], count: number, seed: number): Problem {
  const random = randomOf(seed);
  const columns = kind === "several" ? 4 : 1;
  const target = () => (kind === "number" ? 4 * random() - 2 : Math.floor(random() * (kind === "several" ? 4 : 2)));
  return {
    rows: {
      starts: Int32Array.from({ length: count + 1 }, (_, row) => row * features),
      features: Int32Array.from({ length: count * features }, (_, at) => at % features),
      values: Float32Array.from({ length: count * features }, () => 2 * random() - 1),
    },
    features,
    kind,
    columns,
    seed,
    members: Int32Array.from({ length: count }, (_, row) => row),
    targets: Float64Array.from({ length: count }, target),
    weights: Float32Array.from({ length: count }, () => 1 + Math.floor(2 * random())),
  };
}

function fitted(problem: Problem): LinearModel {
  const model = new LinearModel(problem, new Float64Array(problem.columns));
  model.fit(lambda, closely);
  return model;
}

/** By column: the target less what the model says of it. */
function residuals({ kind, targets }: Problem, row: number, scores: Float64Array): number[] {
  const target = targets[row] as number;
  if (kind === "number") return [Math.max(-1, Math.min(1, target - (scores[0] as number)))];
  if (kind === "two") return [target - sigmoid(scores[0] as number)];
  softmax(scores, 1);
  return [...scores].map((share, c) => (c === target ? 1 : 0) - share);
}

/** The largest part of the gradient of Σ weight · loss + λ/2 · |W|². */
function gradientOf(problem: Problem, model: LinearModel): number {
  const { rows, members, weights, columns } = problem;
  const gradient = Float64Array.from(model.weights, (weight) => lambda * weight);
  const scores = new Float64Array(columns);
  for (const row of members) {
    model.scores(row, scores);
    for (const [c, residual] of residuals(problem, row, scores).entries())
      for (let f = 0; f < features; f++) {
        const at = f * columns + c;
        const step = (weights[row] as number) * residual * (rows.values[row * features + f] as number);
        gradient[at] = (gradient[at] as number) - step;
      }
  }
  return gradient.reduce((most, part) => Math.max(most, Math.abs(part)), 0);
}

const kinds = fc.constantFrom("several", "two", "number") as fc.Arbitrary<Problem["kind"]>;

it("ends where the gradient is zero, for classes, a yes or no and numbers", () => {
  const problems = fc.tuple(kinds, fc.integer({ min: 1, max: 30 }), fc.nat());
  fc.assert(
    fc.property(problems, ([kind, count, seed]) => {
      const problem = problemOf(kind, count, seed);
      expect(gradientOf(problem, fitted(problem))).toBeLessThan(1e-3);
    }),
    { numRuns: 60 },
  );
});

it("finds the same optimum whatever the order of the rows, and the same bits when it is asked again", () => {
  fc.assert(
    fc.property(kinds, fc.nat(), (kind, seed) => {
      const problem = problemOf(kind, 20, seed);
      const [one, again] = [fitted(problem), fitted(problem)];
      expect(again.weights).toEqual(one.weights);
      const reordered = {
        ...problem,
        members: shuffle(Int32Array.from(problem.members), randomOf(seed + 1)),
        seed: seed + 2,
      };
      for (const [at, weight] of fitted(reordered).weights.entries())
        expect(weight).toBeCloseTo(one.weights[at] as number, 3);
    }),
    { numRuns: 30 },
  );
});

it("goes on from one penalty to the next as if it had begun there", () => {
  const problem = problemOf("several", 25, 3);
  const model = new LinearModel(problem, new Float64Array(4));
  model.fit(5, closely);
  model.fit(lambda, closely);
  expect(gradientOf(problem, model)).toBeLessThan(1e-3);
});
