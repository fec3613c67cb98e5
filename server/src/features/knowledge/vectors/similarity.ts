/** The same direction with length 1, so that the inner product of two is their cosine. */
export function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

/** A bit per dimension: 1 where it is above 0. Vectors with few different bits point in nearly the same direction. */
export const signsOf = (vector: readonly number[]): string => vector.map((x) => (x > 0 ? "1" : "0")).join("");

/** Bytes before the elements of an array, and of each element's length, as PostgreSQL's `array_send` writes them. */
const wire = { header: 20, length: 4, element: 8 } as const;

/** The inner product of a vector and a `real[]` as `array_send` writes it; null where they differ in dimensions. */
export function innerProduct(vector: readonly number[], packed: Buffer): number | null {
  if (packed.length !== wire.header + vector.length * wire.element) return null;
  let sum = 0;
  let at = wire.header + wire.length;
  for (let i = 0; i < vector.length; i++, at += wire.element) sum += (vector[i] as number) * packed.readFloatBE(at);
  return sum;
}
