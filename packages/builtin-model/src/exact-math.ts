// Exponential and logarithm from nothing but IEEE 754 addition, multiplication and division, which give the same bits on every machine. `Math.exp` and
// `Math.log` may differ in the last bit between processors and releases, and one bit is enough for another artifact.

const ln2 = Math.LN2;
/** ln 2 in two parts: the first has its last bits zero, so that a whole multiple of it is exact (Cody and Waite's reduction). */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

/** 1/n! for n up to 13: enough for |r| ≤ ln 2 / 2 at double precision. */
const inverseFactorials = ((): Float64Array => {
  const table = new Float64Array(14);
  let factorial = 1;
  for (let n = 0; n < table.length; n++) {
    if (n > 0) factorial *= n;
    table[n] = 1 / factorial;
  }
  return table;
})();

const lowestPower = -1022;
const highestPower = 1023;
const powersOfTwo = ((): Float64Array => {
  const table = new Float64Array(highestPower - lowestPower + 1);
  table[-lowestPower] = 1;
  for (let k = 1; k <= highestPower; k++) table[k - lowestPower] = (table[k - 1 - lowestPower] as number) * 2;
  for (let k = -1; k >= lowestPower; k--) table[k - lowestPower] = (table[k + 1 - lowestPower] as number) / 2;
  return table;
})();

/** e to the power of `x`: exact to a few units in the last place from −700 to 700, 0 below, and the largest of these above. */
export function exp(x: number): number {
  if (!(x > -700)) return x <= -700 ? 0 : Number.NaN;
  const bounded = x > 700 ? 700 : x;
  const k = Math.floor(bounded / ln2 + 0.5);
  const r = bounded - k * ln2High - k * ln2Low;
  let sum = inverseFactorials[13] as number;
  for (let n = 12; n >= 0; n--) sum = sum * r + (inverseFactorials[n] as number);
  return sum * (powersOfTwo[k - lowestPower] as number);
}

/** Natural logarithm of a positive, normal number. NaN for what has none. */
export function ln(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Number.NaN;
  let k = 0;
  let m = x;
  for (let step = 512; step >= 1; step >>= 1) {
    const power = powersOfTwo[step - lowestPower] as number;
    if (m >= power) {
      m /= power;
      k += step;
    } else if (m * power < Math.SQRT2) {
      m *= power;
      k -= step;
    }
  }
  if (m >= Math.SQRT2) {
    m /= 2;
    k++;
  }
  // ln m = 2 artanh((m − 1) / (m + 1)), with |argument| < 0.172
  const t = (m - 1) / (m + 1);
  const square = t * t;
  let sum = 0;
  for (let n = 21; n >= 1; n -= 2) sum = sum * square + 1 / n;
  return 2 * t * sum + k * ln2;
}

/** 1 / (1 + e^−x), always strictly between 0 and 1. */
export function sigmoid(x: number): number {
  const bounded = x > 36 ? 36 : x < -36 ? -36 : x;
  return 1 / (1 + exp(-bounded));
}

/** ln(p / (1 − p)), with p held within 1e-9 of 0 and 1. */
export function logit(p: number): number {
  const bounded = p < 1e-9 ? 1e-9 : p > 1 - 1e-9 ? 1 - 1e-9 : p;
  return ln(bounded / (1 - bounded));
}
