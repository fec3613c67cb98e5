import { betaCumulative, betaQuantile } from "./beta.ts";

/** Student's t distribution with `df` > 0 degrees of freedom, by the incomplete beta function (Abramowitz and Stegun 26.7.1). */

function checkDegrees(df: number): void {
  if (!(df > 0 && df < Number.POSITIVE_INFINITY)) throw new RangeError("degrees of freedom are positive and finite");
}

/** P(T ≤ t). Infinite t are allowed. */
export function studentCumulative(t: number, df: number): number {
  checkDegrees(df);
  if (Number.isNaN(t)) throw new RangeError("t is a number");
  // Both forms are the tail beyond |t|; each is taken where its argument keeps its digits.
  const square = t * t;
  const tail =
    square > df
      ? 0.5 * betaCumulative(df / (df + square), df / 2, 0.5)
      : 0.5 * (1 - betaCumulative(square / (df + square), 0.5, df / 2));
  return t > 0 ? 1 - tail : tail;
}

const known = new Map<string, number>();

/** The t with P(T ≤ t) = p, `p` in (0, 1); a RangeError otherwise. Remembers what it was asked, since gates ask few questions often. */
export function studentQuantile(p: number, df: number): number {
  checkDegrees(df);
  if (!(p > 0 && p < 1)) throw new RangeError("a probability lies in (0, 1)");
  if (p === 0.5) return 0;
  if (p > 0.5) return -studentQuantile(1 - p, df);
  const key = `${p} ${df}`;
  let t = known.get(key);
  if (t === undefined) {
    t = lowerQuantile(p, df);
    if (known.size > 10_000) known.clear();
    known.set(key, t);
  }
  return t;
}

function lowerQuantile(p: number, df: number): number {
  // y = t²/(df + t²) where it is below one half, else x = df/(df + t²): the smaller of the two keeps its digits.
  const y = betaQuantile(1 - 2 * p, 0.5, df / 2);
  if (y < 0.5) return -Math.sqrt((df * y) / (1 - y));
  const x = betaQuantile(2 * p, df / 2, 0.5);
  return -Math.sqrt((df * (1 - x)) / x);
}
