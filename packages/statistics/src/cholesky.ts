/** A symmetric positive definite matrix, row by row; only the lower triangle is read. */
export type Matrix = Float64Array[];

/** An n × n matrix of zeros. */
export function zeroMatrix(n: number): Matrix {
  return Array.from({ length: n }, () => new Float64Array(n));
}

/** L with L Lᵀ = A (Cholesky). Throws a RangeError where A is not positive definite. */
export function cholesky(matrix: Matrix): Matrix {
  const n = matrix.length;
  const lower = zeroMatrix(n);
  for (let i = 0; i < n; i++) {
    const row = lower[i]!;
    for (let j = 0; j <= i; j++) {
      const other = lower[j]!;
      let sum = matrix[i]![j]!;
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!;
      if (j < i) row[j] = sum / other[j]!;
      else if (sum > 0) row[i] = Math.sqrt(sum);
      else throw new RangeError("the matrix is not positive definite");
    }
  }
  return lower;
}

/** x with L Lᵀ x = v, for the L of {@link cholesky}. */
export function solve(lower: Matrix, v: ArrayLike<number>): Float64Array {
  const n = lower.length;
  const x = Float64Array.from(v);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i]![k]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i]! -= lower[k]![i]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  return x;
}
