import type { Rows } from "./dataset.ts";
import { exp, ln, sigmoid } from "./exact-math.ts";

// Linear models over sparse rows, learnt one example at a time by adaptive gradients (AdaGrad, Duchi, Hazan and Singer 2011): each weight has a step of its
// own that falls with what it has already moved.

/** First step of a weight. Measured on customer questions and on leads: .1 to .3 do about as well. */
const rate = 0.15;
const epsilon = 1e-6;
/** Classes whose gradient is smaller are left as they are: with many classes that is nearly all of them. On customer questions .02 did better than .001 and than .05. */
const negligible = 0.02;

/** What is learnt from examples in rounds. */
export interface Learner {
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  /** One round over the rows, in the order given. */
  round(order: Int32Array): void;
  /** Writes the scores of a row, one per class; one alone for a yes or no, and for a number. */
  scores(row: number, into: Float64Array): void;
  /** Loss of a row: minus the log likelihood of its target, or the Huber loss of a number. */
  loss(row: number): number;
}

/** Softmax regression over three classes or more. `targets` are class numbers by row. */
export class ClassLearner implements Learner {
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  readonly #squares: Float32Array;
  readonly #biasSquares: Float64Array;
  readonly #scores: Float64Array;
  readonly #active: Int32Array;
  readonly #gradients: Float64Array;
  readonly #rows: Rows;
  readonly #targets: Int32Array;
  readonly #classes: number;

  constructor(rows: Rows, targets: Int32Array, features: number, priors: Float64Array) {
    this.#rows = rows;
    this.#targets = targets;
    this.#classes = priors.length;
    this.weights = new Float32Array(features * priors.length);
    this.#squares = new Float32Array(features * priors.length).fill(epsilon);
    this.bias = priors.map((prior) => ln(prior));
    this.#biasSquares = new Float64Array(priors.length).fill(1);
    this.#scores = new Float64Array(priors.length);
    this.#active = new Int32Array(priors.length);
    this.#gradients = new Float64Array(priors.length);
  }

  scores(row: number, into: Float64Array): void {
    const { starts, features, values } = this.#rows;
    const weights = this.weights;
    const classes = this.#classes;
    into.set(this.bias);
    const end = starts[row + 1] as number;
    let i = starts[row] as number;
    // Four features at a time: the scores are read and written a quarter as often.
    for (; i + 4 <= end; i += 4) {
      const [v1, v2, v3, v4] = [values[i] as number, values[i + 1] as number, values[i + 2] as number, values[i + 3] as number];
      const a1 = (features[i] as number) * classes;
      const a2 = (features[i + 1] as number) * classes;
      const a3 = (features[i + 2] as number) * classes;
      const a4 = (features[i + 3] as number) * classes;
      for (let c = 0; c < classes; c++) {
        const near = v1 * (weights[a1 + c] as number) + v2 * (weights[a2 + c] as number);
        into[c] = (into[c] as number) + near + v3 * (weights[a3 + c] as number) + v4 * (weights[a4 + c] as number);
      }
    }
    for (; i < end; i++) {
      const value = values[i] as number;
      const at = (features[i] as number) * classes;
      for (let c = 0; c < classes; c++) into[c] = (into[c] as number) + value * (weights[at + c] as number);
    }
  }

  loss(row: number): number {
    this.scores(row, this.#scores);
    softmax(this.#scores, 1);
    return -ln(Math.max(1e-12, this.#scores[this.#targets[row] as number] as number));
  }

  round(order: Int32Array): void {
    for (let i = 0; i < order.length; i++) this.#learn(order[i] as number);
  }

  #learn(row: number): void {
    const [scores, active, gradients] = [this.#scores, this.#active, this.#gradients];
    this.scores(row, scores);
    softmax(scores, 1);
    const target = this.#targets[row] as number;
    let count = 0;
    for (let c = 0; c < scores.length; c++) {
      const gradient = (scores[c] as number) - (c === target ? 1 : 0);
      if (gradient > -negligible && gradient < negligible) continue;
      active[count] = c;
      gradients[count++] = gradient;
      const sum = (this.#biasSquares[c] as number) + gradient * gradient;
      this.#biasSquares[c] = sum;
      this.bias[c] = (this.bias[c] as number) - (0.1 * gradient) / Math.sqrt(sum);
    }
    this.#step(row, count);
  }

  #step(row: number, count: number): void {
    const { starts, features, values } = this.#rows;
    const [weights, squares, active, gradients] = [this.weights, this.#squares, this.#active, this.#gradients];
    const end = starts[row + 1] as number;
    for (let i = starts[row] as number; i < end; i++) {
      const value = values[i] as number;
      const base = (features[i] as number) * this.#classes;
      for (let k = 0; k < count; k++) {
        const at = base + (active[k] as number);
        const gradient = (gradients[k] as number) * value;
        const sum = (squares[at] as number) + gradient * gradient;
        squares[at] = sum;
        weights[at] = (weights[at] as number) - (rate * gradient) / Math.sqrt(sum);
      }
    }
  }
}

/** Logistic regression of a yes or no (`targets` 0 or 1), or robust regression of a number by Huber's loss (`targets` in standard deviations). */
export class ScalarLearner implements Learner {
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  readonly #squares: Float64Array;
  #biasSquares = 1;
  readonly #rows: Rows;
  readonly #targets: Float64Array;
  readonly #number: boolean;

  constructor(rows: Rows, targets: Float64Array, features: number, kind: "logistic" | "number", start: number) {
    this.#rows = rows;
    this.#targets = targets;
    this.#number = kind === "number";
    this.weights = new Float32Array(features);
    this.#squares = new Float64Array(features).fill(epsilon);
    this.bias = Float64Array.of(start);
  }

  #score(row: number): number {
    const { starts, features, values } = this.#rows;
    let score = this.bias[0] as number;
    const end = starts[row + 1] as number;
    for (let i = starts[row] as number; i < end; i++) score += (values[i] as number) * (this.weights[features[i] as number] as number);
    return score;
  }

  scores(row: number, into: Float64Array): void {
    into[0] = this.#score(row);
  }

  loss(row: number): number {
    const target = this.#targets[row] as number;
    if (!this.#number) {
      const p = sigmoid(this.#score(row));
      return -ln(target > 0.5 ? p : 1 - p);
    }
    const error = Math.abs(this.#score(row) - target);
    return error <= 1 ? (error * error) / 2 : error - 0.5;
  }

  round(order: Int32Array): void {
    const { starts, features, values } = this.#rows;
    const [weights, squares] = [this.weights, this.#squares];
    for (let i = 0; i < order.length; i++) {
      const row = order[i] as number;
      const score = this.#score(row);
      const error = (this.#number ? score : sigmoid(score)) - (this.#targets[row] as number);
      const slope = this.#number ? Math.max(-1, Math.min(1, error)) : error;
      this.#biasSquares += slope * slope;
      this.bias[0] = (this.bias[0] as number) - (rate * slope) / Math.sqrt(this.#biasSquares);
      const end = starts[row + 1] as number;
      for (let k = starts[row] as number; k < end; k++) {
        const at = features[k] as number;
        const gradient = slope * (values[k] as number);
        const sum = (squares[at] as number) + gradient * gradient;
        squares[at] = sum;
        weights[at] = (weights[at] as number) - (rate * gradient) / Math.sqrt(sum);
      }
    }
  }
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
