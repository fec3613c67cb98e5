import { cholesky, type Matrix, solve, zeroMatrix } from "@aos/statistics";
import { type Basis, features, type Normal, type TrustConfig } from "./config.ts";
import { isVolunteered, type JudgedRecord, logitOfCase, signalsOf } from "./record.ts";

/** a, the features, c: what every record may have besides its level. */
const slopes = 1 + features.length + 1;
const C = slopes - 1;
export const WEEK_MS = 7 * 86_400_000;

/** What a fit knows before its records. */
export interface FitPriors {
  readonly basis: Basis;
  readonly b: Normal;
  readonly c: Normal;
}

/**
 * The records of one fit as numbers. Levels: 0 is b, of evaluations; then one for each week with live tasks, which is b plus the steps δ up to it. Only weeks with
 * records have one: the steps in between add up.
 */
export interface Design {
  readonly level: Uint16Array;
  /** x of record i at i · slopes. */
  readonly x: Float64Array;
  readonly outcome: Float64Array;
  readonly weight: Float64Array;
  /** Variance of the step to level k + 1 from level k. */
  readonly steps: readonly number[];
}

/** `from`: where novelty begins to count. Sorts by case, so that the order in which labels came changes no digit. */
export function designOf(records: readonly JudgedRecord[], from: number, config: TrustConfig): Design {
  const sorted = [...records].sort((p, q) =>
    p.id < q.id ? -1 : p.id > q.id ? 1 : p.at - q.at || p.outcome - q.outcome,
  );
  const live = sorted.filter(({ origin }) => origin !== "evaluation");
  const began = live.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  const weekOf = ({ at }: JudgedRecord): number => Math.floor((at - began) / WEEK_MS);
  const weeks = [...new Set(live.map(weekOf))].sort((p, q) => p - q);
  const levelOfWeek = new Map(weeks.map((week, index) => [week, index + 1]));
  const n = sorted.length;
  const design = {
    level: new Uint16Array(n),
    x: new Float64Array(n * slopes),
    outcome: new Float64Array(n),
    weight: new Float64Array(n),
  };
  sorted.forEach((record, i) => {
    design.level[i] = record.origin === "evaluation" ? 0 : levelOfWeek.get(weekOf(record))!;
    design.x[i * slopes] = logitOfCase(record.case, config);
    design.x.set(signalsOf(record.case, from), i * slopes + 1);
    design.x[i * slopes + C] = isVolunteered(record) ? 1 : 0;
    design.outcome[i] = record.outcome;
    design.weight[i] = record.weight;
  });
  const steps = weeks.map((week, index) =>
    index === 0 ? config.drift.first : config.drift.week * (week - weeks[index - 1]!),
  );
  return { ...design, steps };
}

/** Posterior of [level of the newest week, a, θ…, c], and the mean of b. */
export interface Posterior {
  readonly b: number;
  readonly mean: readonly number[];
  /** Rows of the covariance; zeros for what is held at its bound. */
  readonly covariance: readonly (readonly number[])[];
}

/** The penalty ½ (w − μ)ᵀ P (w − μ) of the priors: precision P and P μ. */
function priorOf(
  { basis, b, c }: FitPriors,
  steps: readonly number[],
  config: TrustConfig,
): { precision: Matrix; shift: Float64Array } {
  const levels = steps.length + 1;
  const n = levels + slopes;
  const precision = zeroMatrix(n);
  const shift = new Float64Array(n);
  const put = (at: number, { mean, variance }: Normal): void => {
    precision[at]![at]! += 1 / variance;
    shift[at]! += mean / variance;
  };
  const { a, theta } = config.priors[basis];
  put(0, b);
  steps.forEach((variance, k) => {
    precision[k]![k]! += 1 / variance;
    precision[k + 1]![k + 1]! += 1 / variance;
    precision[k + 1]![k]! -= 1 / variance;
    precision[k]![k + 1]! -= 1 / variance;
  });
  put(levels, a ?? { mean: 0, variance: 1 });
  for (const [j, feature] of features.entries()) put(levels + 1 + j, theta[feature]);
  put(levels + C, c);
  return { precision, shift };
}

/** ln(1 + e^η) without overflow. */
const softplus = (eta: number): number => (eta > 0 ? eta + Math.log1p(Math.exp(-eta)) : Math.log1p(Math.exp(eta)));

class Objective {
  readonly levels: number;
  readonly size: number;
  readonly #design: Design;
  readonly #precision: Matrix;
  readonly #shift: Float64Array;
  readonly #eta: Float64Array;

  constructor(design: Design, priors: FitPriors, config: TrustConfig) {
    this.#design = design;
    const { precision, shift } = priorOf(priors, design.steps, config);
    this.#precision = precision;
    this.#shift = shift;
    this.levels = design.steps.length + 1;
    this.size = this.levels + slopes;
    this.#eta = new Float64Array(design.level.length);
  }

  /** Penalised loss: Σ weight · (ln(1 + e^η) − y η) + ½ wᵀ P w − wᵀ P μ. */
  loss(w: Float64Array): number {
    const { level, x, outcome, weight } = this.#design;
    let loss = 0;
    for (let i = 0; i < level.length; i++) {
      let eta = w[level[i]!]!;
      for (let j = 0; j < slopes; j++) eta += x[i * slopes + j]! * w[this.levels + j]!;
      this.#eta[i] = eta;
      loss += weight[i]! * (softplus(eta) - outcome[i]! * eta);
    }
    for (let r = 0; r < this.size; r++) {
      let row = 0;
      for (let s = 0; s < this.size; s++) row += this.#precision[r]![s]! * w[s]!;
      loss += w[r]! * (0.5 * row - this.#shift[r]!);
    }
    return loss;
  }

  /** Gradient and Hessian where {@link loss} was asked for last. */
  slopeAt(w: Float64Array): { gradient: Float64Array; hessian: Matrix } {
    const { level, x, outcome, weight } = this.#design;
    const hessian = this.#precision.map((row) => row.slice());
    const gradient = new Float64Array(this.size);
    for (let r = 0; r < this.size; r++) {
      for (let s = 0; s < this.size; s++) gradient[r]! += this.#precision[r]![s]! * w[s]!;
      gradient[r]! -= this.#shift[r]!;
    }
    for (let i = 0; i < level.length; i++) {
      const p = 1 / (1 + Math.exp(-this.#eta[i]!));
      const rest = weight[i]! * (p - outcome[i]!);
      const curve = weight[i]! * p * (1 - p);
      const own = level[i]!;
      gradient[own]! += rest;
      hessian[own]![own]! += curve;
      for (let j = 0; j < slopes; j++) {
        const xj = x[i * slopes + j]!;
        if (xj === 0) continue;
        const row = hessian[this.levels + j]!;
        gradient[this.levels + j]! += rest * xj;
        row[own]! += curve * xj;
        for (let k = 0; k <= j; k++) row[this.levels + k]! += curve * xj * x[i * slopes + k]!;
      }
    }
    return { gradient, hessian };
  }
}

/** Holds a parameter at its value: no step, and no say in the others'. */
function hold(at: number, gradient: Float64Array, hessian: Matrix): void {
  gradient[at] = 0;
  for (let k = 0; k < hessian.length; k++) {
    hessian[at]![k] = 0;
    hessian[k]![at] = 0;
  }
  hessian[at]![at] = 1;
}

/** Newton's method with backtracking, from `w` on; parameters in `held` stay. Undamped it diverges on overconfident probabilities. */
function minimise(objective: Objective, w: Float64Array, held: ReadonlySet<number>): Float64Array {
  let at = w;
  let loss = objective.loss(at);
  for (let round = 0; round < 100; round++) {
    const { gradient, hessian } = objective.slopeAt(at);
    for (const one of held) hold(one, gradient, hessian);
    const step = solve(cholesky(hessian), gradient);
    let slope = 0;
    for (let k = 0; k < step.length; k++) slope += step[k]! * gradient[k]!;
    // Newton's steps shrink quadratically: after one more the rest is below the last digit, and no comparison of losses could see it.
    if (slope < 1e-10) return at.map((value, k) => value - step[k]!);
    let share = 1;
    let next = at;
    let lower = loss;
    for (; share > 1e-9; share /= 2) {
      next = at.map((value, k) => value - share * step[k]!);
      lower = objective.loss(next);
      if (lower <= loss - 1e-4 * share * slope) break;
    }
    if (share <= 1e-9) return at;
    [at, loss] = [next, lower];
  }
  return at;
}

/** MAP and Laplace posterior. Signs are fixed: a parameter that labels would push over its bound is held there. */
export function posteriorOf(design: Design, priors: FitPriors, config: TrustConfig): Posterior {
  const objective = new Objective(design, priors, config);
  const { levels, size } = objective;
  const { a, theta } = config.priors[priors.basis];
  const start = new Float64Array(size).fill(priors.b.mean, 0, levels);
  start[levels] = a?.mean ?? 0;
  features.forEach((feature, j) => {
    start[levels + 1 + j] = theta[feature].mean;
  });
  start[levels + C] = priors.c.mean;
  const held = new Set<number>(a === null ? [levels] : []);
  let w = minimise(objective, start, held);
  for (;;) {
    const over = boundsOf(w, levels, a !== null, config).filter(({ at }) => !held.has(at));
    if (over.length === 0) break;
    for (const { at, bound } of over) {
      held.add(at);
      w[at] = bound;
    }
    w = minimise(objective, w, held);
  }
  objective.loss(w);
  return { b: w[0]!, ...marginal(objective.slopeAt(w).hessian, w, levels, held) };
}

function boundsOf(
  w: Float64Array,
  levels: number,
  weighs: boolean,
  { least_a }: TrustConfig,
): { at: number; bound: number }[] {
  const over = features.flatMap((_, j) => (w[levels + 1 + j]! > 0 ? [{ at: levels + 1 + j, bound: 0 }] : []));
  return weighs && w[levels]! < least_a ? [...over, { at: levels, bound: least_a }] : over;
}

/** Mean and covariance of the newest level and the slopes, from the inverse of the Hessian. */
function marginal(
  hessian: Matrix,
  w: Float64Array,
  levels: number,
  held: ReadonlySet<number>,
): Pick<Posterior, "mean" | "covariance"> {
  for (const one of held) hold(one, new Float64Array(hessian.length), hessian);
  const lower = cholesky(hessian);
  const kept = Array.from({ length: slopes + 1 }, (_, k) => levels - 1 + k);
  const covariance = kept.map((at) => {
    if (held.has(at)) return kept.map(() => 0);
    const unit = new Float64Array(hessian.length);
    unit[at] = 1;
    const column = solve(lower, unit);
    return kept.map((other) => (held.has(other) ? 0 : column[other]!));
  });
  return { mean: kept.map((at) => w[at]!), covariance };
}
