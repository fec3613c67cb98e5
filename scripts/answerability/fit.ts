import { cholesky, solve, zeroMatrix } from "@aos/statistics";
import type { Evidence } from "../../server/src/features/knowledge/search/evidence.ts";

export type Weights = { readonly [name in keyof Evidence | "constant"]: number };

export interface Labelled {
  readonly evidence: Evidence;
  readonly is: boolean;
  readonly weight: number;
}

const rounds = 30;
/** Of the penalty on squared weights of features with variance 1. */
const ridge = 3;

/** Logistic regression by Newton's method, on standardized features; the weights are those of the features as they are. */
export function fitWeights(samples: readonly Labelled[]): Weights {
  const names = Object.keys(samples[0]?.evidence ?? {}) as (keyof Evidence)[];
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const mean = names.map((name) => samples.reduce((sum, one) => sum + one.weight * one.evidence[name], 0) / total);
  const spread = names.map((name, at) => {
    const squares = samples.reduce(
      (sum, one) => sum + one.weight * (one.evidence[name] - (mean[at] as number)) ** 2,
      0,
    );
    return Math.sqrt(squares / total) || 1;
  });
  const rows = samples.map(({ evidence }) => [
    1,
    ...names.map((name, at) => (evidence[name] - (mean[at] as number)) / (spread[at] as number)),
  ]);
  const found = newton(rows, samples);
  const weights = names.map((name, at) => [name, (found[at + 1] as number) / (spread[at] as number)] as const);
  const constant = weights.reduce((sum, [, weight], at) => sum - weight * (mean[at] as number), found[0] as number);
  return Object.fromEntries(
    [["constant", constant], ...weights].map(([name, one]) => [name, rounded(one as number)]),
  ) as Weights;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

function newton(rows: readonly number[][], samples: readonly Labelled[]): Float64Array {
  const n = rows[0]?.length ?? 1;
  let found = new Float64Array(n);
  for (let round = 0; round < rounds; round += 1) {
    const gradient = found.map((one, at) => (at === 0 ? 0 : -ridge * one));
    const hessian = zeroMatrix(n);
    for (let at = 1; at < n; at += 1) (hessian[at] as Float64Array)[at] = ridge;
    (hessian[0] as Float64Array)[0] = 1e-6;
    for (const [at, row] of rows.entries()) {
      const { is, weight } = samples[at] as Labelled;
      const p = 1 / (1 + Math.exp(-row.reduce((sum, x, i) => sum + x * (found[i] as number), 0)));
      const curve = weight * p * (1 - p);
      for (let i = 0; i < n; i += 1) {
        gradient[i] = (gradient[i] as number) + weight * ((is ? 1 : 0) - p) * (row[i] as number);
        const line = hessian[i] as Float64Array;
        for (let j = 0; j <= i; j += 1) line[j] = (line[j] as number) + curve * (row[i] as number) * (row[j] as number);
      }
    }
    const step = solve(cholesky(hessian), gradient);
    found = found.map((one, at) => one + (step[at] as number));
  }
  return found;
}

export function probability(weights: Weights, evidence: Evidence): number {
  const names = Object.keys(evidence) as (keyof Evidence)[];
  const sum = names.reduce((total, name) => total + weights[name] * evidence[name], weights.constant);
  return 1 / (1 + Math.exp(-sum));
}
