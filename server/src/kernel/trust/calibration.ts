import { type Calibration, identityCalibration } from "./score.ts";

/** What became of a task whose score is known. */
export interface TrustLabel {
  /** z of the score before calibration, finite (`TrustScore.z`). */
  readonly z: number;
  /** 1 accepted, 0 not; in between where a label says so. */
  readonly outcome: number;
}

export interface CalibrationRule {
  /** Fewer labels change nothing. */
  readonly least_labels: number;
  /** Weight of the pull towards the identity: ridge/2 · ((a − 1)² + b²) beside the sum of log losses. */
  readonly ridge: number;
  /** Least a, positive: a score never turns round, nor lies flat. */
  readonly least_a: number;
  /** Parts of the cross-validation, 2 or more. */
  readonly folds: number;
}

export const startCalibrationRule: CalibrationRule = { least_labels: 200, ridge: 4, least_a: 0.05, folds: 10 };

/** A calibration refitted from labels, or the reason why the identity stays. */
export interface CalibrationFit {
  /** What to score with: the fitted one where it is adopted, else the identity. */
  readonly calibration: Calibration;
  readonly adopted: boolean;
  /** What the labels would give; null with too few of them. */
  readonly fitted: Calibration | null;
  readonly n: number;
  /** Log loss per label in nats: of the identity, and of fits to the other folds. Null with too few labels, and so what follows. */
  readonly log_loss_before: number | null;
  readonly log_loss_after: number | null;
  /** How much the loss falls, and the standard error of that. */
  readonly gain: number | null;
  readonly gain_error: number | null;
  /** A sentence for people. */
  readonly reason: string;
}

/**
 * Fits T = σ(a·z + b) (Platt 1999), pulled towards the identity by a ridge, and adopts it only where enough labels show a gain on labels that the fit
 * had not seen. Label i lies in fold i mod `folds`, so the order in which labels come decides nothing but noise, and the same labels give the same fit.
 * Throws a RangeError for a label without meaning.
 */
export function fitCalibration(labels: readonly TrustLabel[], rule: CalibrationRule = startCalibrationRule): CalibrationFit {
  checkRule(rule);
  for (const { z, outcome } of labels)
    if (!(Number.isFinite(z) && outcome >= 0 && outcome <= 1)) throw new RangeError("a label needs a finite z and an outcome in [0, 1]");
  const n = labels.length;
  if (n < rule.least_labels) {
    const unknown = { fitted: null, log_loss_before: null, log_loss_after: null, gain: null, gain_error: null };
    const reason = `${n} of the ${rule.least_labels} labels that a calibration needs are there.`;
    return { calibration: identityCalibration, adopted: false, n, ...unknown, reason };
  }
  const fitted = fit(labels, rule);
  const { before, after, gain, gainError } = crossValidate(labels, rule, fitted);
  // Any gain will do: where it is noise the ridge has kept the fit close to the identity, and asking for more costs more than it saves (simulated).
  const adopted = gain > 0;
  const figures = `log loss ${before.toFixed(4)} becomes ${after.toFixed(4)} on labels that the fit had not seen (${n} labels)`;
  return {
    calibration: adopted ? fitted : identityCalibration,
    adopted,
    fitted,
    n,
    log_loss_before: before,
    log_loss_after: after,
    gain,
    gain_error: gainError,
    reason: adopted ? `Adopted: ${figures}.` : `Not adopted, as it shows no gain: ${figures}.`,
  };
}

function checkRule({ least_labels, ridge, least_a, folds }: CalibrationRule): void {
  if (!(ridge > 0 && least_a > 0 && least_a <= 1)) throw new RangeError("a calibration needs a positive ridge and a least a in (0, 1]");
  if (!(Number.isInteger(folds) && folds >= 2 && least_labels >= folds))
    throw new RangeError("a calibration needs two folds or more, and as many labels");
}

/** Loss of a label under a logit, in nats: ln(1 + e^u) − y·u, without overflow. */
function logLoss(u: number, y: number): number {
  return Math.max(u, 0) + Math.log1p(Math.exp(-Math.abs(u))) - y * u;
}

function crossValidate(labels: readonly TrustLabel[], rule: CalibrationRule, whole: Calibration) {
  let before = 0;
  let after = 0;
  let squares = 0;
  for (let fold = 0; fold < rule.folds; fold++) {
    const { a, b } = fit(labels.filter((_, index) => index % rule.folds !== fold), rule, whole); // biome-ignore format: one thought
    for (let index = fold; index < labels.length; index += rule.folds) {
      const { z, outcome } = labels[index]!;
      const losses = [logLoss(z, outcome), logLoss(a * z + b, outcome)] as const;
      before += losses[0];
      after += losses[1];
      squares += (losses[0] - losses[1]) ** 2;
    }
  }
  const n = labels.length;
  const gain = (before - after) / n;
  const variance = Math.max(0, squares / n - gain * gain);
  return { before: before / n, after: after / n, gain, gainError: Math.sqrt(variance / (n - 1)) };
}

/** The penalised maximum of likelihood; where it would turn the score round, the best with the least a. */
function fit(labels: readonly TrustLabel[], rule: CalibrationRule, near: Calibration = identityCalibration): Calibration {
  const free = newton(labels, rule.ridge, near, false);
  return free.a >= rule.least_a ? free : newton(labels, rule.ridge, { a: rule.least_a, b: near.b }, true);
}

/** Newton's method with halved steps on a strictly convex loss, from `near`; `onlyB` keeps a where it is. */
function newton(labels: readonly TrustLabel[], ridge: number, near: Calibration, onlyB: boolean): Calibration {
  let at = near;
  let loss = penalisedLoss(labels, at, ridge);
  for (let round = 0; round < 100; round++) {
    const step = newtonStep(labels, at, ridge, onlyB);
    let share = 1;
    let next = at;
    let nextLoss = loss;
    // The full step nearly always falls; halving is for labels that lie far out.
    do {
      next = { a: at.a - share * step.a, b: at.b - share * step.b };
      nextLoss = penalisedLoss(labels, next, ridge);
      share /= 2;
    } while (nextLoss > loss && share > 1e-9);
    if (nextLoss > loss) return at;
    const done = Math.abs(next.a - at.a) + Math.abs(next.b - at.b) < 1e-10;
    at = next;
    loss = nextLoss;
    if (done) return at;
  }
  return at;
}

function penalisedLoss(labels: readonly TrustLabel[], { a, b }: Calibration, ridge: number): number {
  let sum = 0;
  for (const { z, outcome } of labels) sum += logLoss(a * z + b, outcome);
  return sum + (ridge / 2) * ((a - 1) ** 2 + b * b);
}

/** Inverse Hessian times gradient. */
function newtonStep(labels: readonly TrustLabel[], { a, b }: Calibration, ridge: number, onlyB: boolean): Calibration {
  let ga = ridge * (a - 1);
  let gb = ridge * b;
  let haa = ridge;
  let hab = 0;
  let hbb = ridge;
  for (const { z, outcome } of labels) {
    const p = 1 / (1 + Math.exp(-(a * z + b)));
    const weight = p * (1 - p);
    ga += (p - outcome) * z;
    gb += p - outcome;
    haa += weight * z * z;
    hab += weight * z;
    hbb += weight;
  }
  if (onlyB) return { a: 0, b: gb / hbb };
  const determinant = haa * hbb - hab * hab;
  return { a: (hbb * ga - hab * gb) / determinant, b: (haa * gb - hab * ga) / determinant };
}
