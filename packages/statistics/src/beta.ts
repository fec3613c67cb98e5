/**
 * The Beta distribution: cumulative probability and quantiles. Own code, because the interval of every trust score hangs on it;
 * a property test holds it against an independent implementation.
 */

// Lanczos approximation with g = 7, n = 9 (Lanczos 1964, coefficients by P. Godfrey): relative error below 1e-14 for x > 0.
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  // The recurrence Γ(x + 1) = x Γ(x) moves small arguments to where the approximation is best.
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  const shifted = x - 1;
  let sum = LANCZOS[0]!;
  for (let index = 1; index < LANCZOS.length; index++) sum += LANCZOS[index]! / (shifted + index);
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

const TINIEST = 1e-300;

/** The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < TINIEST ? TINIEST : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** P(X ≤ x) for X ~ Beta(a, b), the regularised incomplete beta function I_x(a, b). `a` and `b` are positive. */
export function betaCumulative(x: number, a: number, b: number): number {
  return cumulative(x, a, b, logBeta(a, b));
}

function cumulative(x: number, a: number, b: number, logNorm: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logNorm);
  // Left of the mean the fraction converges quickly; right of it the mirrored one does.
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

/**
 * The x with P(X ≤ x) = p for X ~ Beta(a, b): Newton's method on the logit of x, kept inside a bracket that halves whenever a
 * step would leave it. `p` in [0, 1], `a` and `b` positive and finite; a RangeError otherwise.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError("a probability lies in [0, 1]");
  if (!(a > 0 && b > 0 && a < Number.POSITIVE_INFINITY && b < Number.POSITIVE_INFINITY))
    throw new RangeError("a and b are positive and finite");
  if (p === 0 || p === 1) return p;
  const logNorm = logBeta(a, b);
  let low = -745;
  let high = 745;
  let logit = Math.log(a / b);
  for (let round = 0; round < 200; round++) {
    const x = 1 / (1 + Math.exp(-logit));
    const error = cumulative(x, a, b, logNorm) - p;
    if (error === 0) return x;
    if (error > 0) high = logit;
    else low = logit;
    // dP/d(logit x) = density · x (1 − x) = x^a (1 − x)^b / B(a, b)
    const slope = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logNorm);
    const newton = logit - error / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - logit) <= 1e-13 * Math.max(1, Math.abs(logit))) return 1 / (1 + Math.exp(-next));
    logit = next;
  }
  return 1 / (1 + Math.exp(-logit));
}
