import type { Rows } from "./dataset.ts";
import { exp, ln, sigmoid } from "./exact-math.ts";
import { randomOf, shuffle } from "./random.ts";

// Linear models over sparse rows: multinomial and binary logistic regression and Huber regression with an L2 penalty, fitted to their optimum by dual
// coordinate ascent (Shalev-Shwartz and Zhang 2013; Yu, Huang and Lin 2011). Minimised is Σ weight · loss + λ/2 · |W|². At the optimum
// W = Σ weight · residual · row / λ, so each row keeps its residual, and a step solves for the residual of one row exactly while all others stand still.

/** What a model is fitted to. */
export interface Problem {
  readonly rows: Rows;
  /** The number of features. */
  readonly features: number;
  /** The rows that count. */
  readonly members: Int32Array;
  /** By row: a class number; 0 or 1; or a number in standard deviations from the mean. */
  readonly targets: Float64Array;
  /** By row: how many examples it counts as. */
  readonly weights: Float32Array;
  readonly kind: "several" | "two" | "number";
  /** Classes where there are several; 1 otherwise. */
  readonly columns: number;
  readonly seed: number;
}

/** When a fit ends: after so many epochs, or as soon as residuals change by less than this on average. */
export interface Effort {
  readonly epochs: number;
  readonly tolerance: number;
}

/** A linear model while it is fitted. */
export class LinearModel {
  /** By feature, `columns` each. */
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  readonly #problem: Problem;
  readonly #solver: RowSolver;
  readonly #squares: Float32Array;
  readonly #scores: Float64Array;
  readonly #steps: Float64Array;
  #lambda = 1;

  constructor(problem: Problem, offset: Float64Array) {
    this.#problem = problem;
    this.weights = new Float32Array(problem.features * problem.columns);
    this.bias = Float64Array.from(offset);
    this.#squares = squaresOf(problem.rows);
    this.#scores = new Float64Array(problem.columns);
    this.#steps = new Float64Array(problem.columns);
    this.#solver = solverOf(problem);
  }

  /** Fits to the optimum under a penalty; from where an earlier fit ended. */
  fit(lambda: number, { epochs, tolerance }: Effort, told: (share: number) => void = () => undefined): void {
    this.#rescale(lambda);
    const order = Int32Array.from(this.#problem.members);
    const random = randomOf(this.#problem.seed);
    for (let epoch = 0; epoch < epochs; epoch++) {
      shuffle(order, random);
      let change = 0;
      for (const row of order) change += this.#visit(row, tolerance);
      told((epoch + 1) / epochs);
      if (change < tolerance * order.length) break;
    }
  }

  /** The weights are the residuals' sum over λ: another λ scales them. */
  #rescale(lambda: number): void {
    const ratio = this.#lambda / lambda;
    for (let at = 0; at < this.weights.length; at++) this.weights[at] = (this.weights[at] as number) * ratio;
    this.#lambda = lambda;
  }

  #visit(row: number, tolerance: number): number {
    const weight = this.#problem.weights[row] as number;
    this.scores(row, this.#scores);
    const curvature = (weight * (this.#squares[row] as number)) / this.#lambda;
    const change = this.#solver.solve(row, this.#scores, curvature, tolerance / 10, this.#steps);
    if (change > 0) this.#add(row, weight / this.#lambda);
    return change;
  }

  #add(row: number, scale: number): void {
    const { starts, features, values } = this.#problem.rows;
    const { weights } = this;
    const steps = this.#steps;
    const columns = this.#problem.columns;
    let count = 0;
    for (let c = 0; c < columns; c++) {
      if (steps[c] === 0) continue;
      active[count] = c;
      moves[count++] = (steps[c] as number) * scale;
      this.bias[c] = (this.bias[c] as number) + (steps[c] as number) * scale * biasSquare;
    }
    const end = starts[row + 1] as number;
    for (let i = starts[row] as number; i < end; i++) {
      const value = values[i] as number;
      const base = (features[i] as number) * columns;
      for (let k = 0; k < count; k++) {
        const at = base + (active[k] as number);
        weights[at] = (weights[at] as number) + (moves[k] as number) * value;
      }
    }
  }

  /** Writes the scores of a row, one per column. */
  scores(row: number, into: Float64Array): void {
    const { starts, features, values } = this.#problem.rows;
    const weights = this.weights;
    const columns = into.length;
    into.set(this.bias);
    const end = starts[row + 1] as number;
    let i = starts[row] as number;
    // Four features at a time: the scores are read and written a quarter as often.
    for (; i + 4 <= end; i += 4) {
      const [v1, v2, v3, v4] = [
        values[i] as number,
        values[i + 1] as number,
        values[i + 2] as number,
        values[i + 3] as number,
      ];
      const a1 = (features[i] as number) * columns;
      const a2 = (features[i + 1] as number) * columns;
      const a3 = (features[i + 2] as number) * columns;
      const a4 = (features[i + 3] as number) * columns;
      for (let c = 0; c < columns; c++) {
        const near = v1 * (weights[a1 + c] as number) + v2 * (weights[a2 + c] as number);
        into[c] = (into[c] as number) + near + v3 * (weights[a3 + c] as number) + v4 * (weights[a4 + c] as number);
      }
    }
    for (; i < end; i++) {
      const value = values[i] as number;
      const at = (features[i] as number) * columns;
      for (let c = 0; c < columns; c++) into[c] = (into[c] as number) + value * (weights[at + c] as number);
    }
  }
}

const mostColumns = 20_000;
const active = new Int32Array(mostColumns);
const moves = new Float64Array(mostColumns);
/** The bias is a feature of every row with this value squared. */
const biasSquare = 1;

function squaresOf({ starts, values }: Rows): Float32Array {
  const squares = new Float32Array(starts.length - 1);
  for (let row = 0; row < squares.length; row++) {
    let sum = biasSquare;
    for (let i = starts[row] as number; i < (starts[row + 1] as number); i++) sum += (values[i] as number) ** 2;
    squares[row] = sum;
  }
  return squares;
}

/** Solves for the residual of one row. */
interface RowSolver {
  /**
   * `scores` move by `curvature` times what the residual moves. Writes the residual's moves into `steps`, leaves out those below `least`, and answers their
   * sum.
   */
  solve(row: number, scores: Float64Array, curvature: number, least: number, steps: Float64Array): number;
}

function solverOf(problem: Problem): RowSolver {
  if (problem.kind === "several") return new SoftmaxSolver(problem);
  return problem.kind === "two" ? new LogisticSolver(problem) : new HuberSolver(problem);
}

/** The residual is 1 for the row's class, less its probabilities q. Solved is q = softmax(scores + curvature · (q before − q)), by Newton's method in ln q. */
class SoftmaxSolver implements RowSolver {
  readonly #logs: Float32Array;
  readonly #goals: Float64Array;
  readonly #log: Float64Array;

  constructor({ rows, targets, columns }: Problem) {
    const count = rows.starts.length - 1;
    this.#logs = new Float32Array(count * columns).fill(-40);
    for (let row = 0; row < count; row++)
      if ((targets[row] as number) >= 0) this.#logs[row * columns + (targets[row] as number)] = 0;
    this.#goals = new Float64Array(columns);
    this.#log = new Float64Array(columns);
  }

  solve(row: number, scores: Float64Array, curvature: number, least: number, steps: Float64Array): number {
    const columns = scores.length;
    const base = row * columns;
    const [logs, goals, log] = [this.#logs, this.#goals, this.#log];
    let top = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < columns; c++) {
      const before = exp(logs[base + c] as number);
      steps[c] = before;
      goals[c] = (scores[c] as number) + curvature * before;
      if ((goals[c] as number) > top) top = goals[c] as number;
    }
    // The level at which the top class alone has probability 1: the sum is too large there, and Newton's method comes down from it without overshooting.
    let level = top - curvature;
    for (let c = 0; c < columns; c++) log[c] = Math.min(0, (goals[c] as number) - level);
    for (let round = 0; round < 50; round++) {
      let [sum, slope] = [0, 0];
      for (let c = 0; c < columns; c++) {
        const goal = (goals[c] as number) - level;
        let l = Math.min(log[c] as number, goal);
        let share = exp(l);
        for (let inner = 0; inner < 8; inner++) {
          const off = l + curvature * share - goal;
          if (Math.abs(off) * share < least / 8) break;
          l -= off / (1 + curvature * share);
          share = exp(l);
        }
        log[c] = l;
        sum += share;
        slope += share / (1 + curvature * share);
      }
      if (sum - 1 < least && sum - 1 > -least) break;
      level += (sum - 1) / slope;
    }
    let change = 0;
    for (let c = 0; c < columns; c++) {
      const step = (steps[c] as number) - exp(log[c] as number);
      const size = Math.abs(step);
      if (size < least) {
        steps[c] = 0;
        continue;
      }
      logs[base + c] = log[c] as number;
      steps[c] = (steps[c] as number) - exp(logs[base + c] as number);
      change += size;
    }
    return change;
  }
}

/** The residual is the target less its probability. */
class LogisticSolver implements RowSolver {
  readonly #residuals: Float64Array;
  readonly #targets: Float64Array;

  constructor({ rows, targets }: Problem) {
    this.#residuals = new Float64Array(rows.starts.length - 1);
    this.#targets = targets;
  }

  solve(row: number, scores: Float64Array, curvature: number, least: number, steps: Float64Array): number {
    const target = this.#targets[row] as number;
    const before = this.#residuals[row] as number;
    const score = scores[0] as number;
    // The residual r that is target − σ(score + curvature · (r − before)) lies between −1 and 1: Newton's method, held inside by bisection.
    let [low, high] = [target - 1, target];
    let r = Math.min(high, Math.max(low, before));
    for (let round = 0; round < 60; round++) {
      const p = sigmoid(score + curvature * (r - before));
      const off = r - target + p;
      if (off > 0) high = r;
      else low = r;
      if (Math.abs(off) < 1e-12) break;
      const next = r - off / (1 + curvature * p * (1 - p));
      r = next > low && next < high ? next : (low + high) / 2;
    }
    return settle(this.#residuals, row, r, least, steps);
  }
}

/** The residual is the target less the score, held between −1 and 1 (Huber's loss). */
class HuberSolver implements RowSolver {
  readonly #residuals: Float64Array;
  readonly #targets: Float64Array;

  constructor({ rows, targets }: Problem) {
    this.#residuals = new Float64Array(rows.starts.length - 1);
    this.#targets = targets;
  }

  solve(row: number, scores: Float64Array, curvature: number, least: number, steps: Float64Array): number {
    const before = this.#residuals[row] as number;
    const free = ((this.#targets[row] as number) - (scores[0] as number) + curvature * before) / (1 + curvature);
    return settle(this.#residuals, row, Math.max(-1, Math.min(1, free)), least, steps);
  }
}

function settle(residuals: Float64Array, row: number, residual: number, least: number, steps: Float64Array): number {
  const step = residual - (residuals[row] as number);
  if (Math.abs(step) < least) return 0;
  residuals[row] = residual;
  steps[0] = step;
  return Math.abs(step);
}

/** Loss of scores: minus the log likelihood of the target, or the Huber loss of a number. */
export function lossOf(kind: Problem["kind"], scores: Float64Array, target: number): number {
  if (kind === "several") {
    softmax(scores, 1);
    return -ln(Math.max(1e-12, scores[target] as number));
  }
  const score = scores[0] as number;
  if (kind === "two") return -ln(sigmoid(target > 0.5 ? score : -score));
  const error = Math.abs(score - target);
  return error <= 1 ? (error * error) / 2 : error - 0.5;
}

/** Turns scores into probabilities that sum to 1, in place, after dividing them by `temperature`. Minus infinity stays out. */
export function softmax(scores: Float64Array, temperature: number): void {
  let top = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < scores.length; c++) if ((scores[c] as number) > top) top = scores[c] as number;
  let sum = 0;
  for (let c = 0; c < scores.length; c++) {
    const share = exp(((scores[c] as number) - top) / temperature);
    scores[c] = share;
    sum += share;
  }
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / sum;
}
