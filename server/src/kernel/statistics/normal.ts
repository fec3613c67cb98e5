/** The standard normal distribution. Own code, held against an independent implementation by a property test. */

const LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI);

/** ln φ(x). */
function logDensity(x: number): number {
  return -0.5 * x * x - LOG_SQRT_2PI;
}

/** Mills' ratio (1 − Φ(x)) / φ(x) for x ≥ 3 by its continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))) (Laplace), from the far end inwards. */
function millsRatio(x: number): number {
  let rest = x;
  for (let k = 120; k >= 1; k--) rest = x + k / rest;
  return 1 / rest;
}

/** Φ(x) − ½ for |x| < 3 by φ(x) · Σ x^(2k+1) / (1·3·…·(2k+1)) (Abramowitz and Stegun 26.2.11). */
function centralPart(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum) && odd < 400; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return Math.exp(logDensity(x)) * sum;
}

/** Φ(x) = P(X ≤ x). */
export function normalCumulative(x: number): number {
  if (x <= -3) return Math.exp(logNormalCumulative(x));
  if (x >= 3) return 1 - Math.exp(logNormalCumulative(-x));
  return 0.5 + centralPart(x);
}

/** ln Φ(x), exact far out on the left too, where Φ(x) itself is no number any more. */
export function logNormalCumulative(x: number): number {
  if (x <= -3) return logDensity(x) + Math.log(millsRatio(-x));
  if (x >= 3) return Math.log1p(-Math.exp(logNormalCumulative(-x)));
  return Math.log(0.5 + centralPart(x));
}

/**
 * The x with Φ(x) = p, `p` in [0, 1] (0 and 1 give the infinities); a RangeError otherwise. Newton's method on ln Φ, which is concave, from
 * the left tail's first approximation.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError("a probability lies in [0, 1]");
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  const target = Math.log(p);
  const t = Math.sqrt(-2 * target);
  // Abramowitz and Stegun 26.2.22: off by less than 0.003.
  let x = -(t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t));
  for (let round = 0; round < 50; round++) {
    const log = logNormalCumulative(x);
    const step = (log - target) / Math.exp(logDensity(x) - log);
    x -= step;
    if (Math.abs(step) <= 1e-14 * Math.max(1, Math.abs(x))) break;
  }
  return x;
}
