/** Random numbers that a seed repeats on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Beta(a, b), a and b positive. */
  beta(a: number, b: number): number;
  /** 1 with probability p, else 0. */
  yes(p: number): 0 | 1;
}

/** A generator of its own for one purpose: the same seed and purpose give the same numbers, whatever else was drawn. */
export function createRandom(seed: number, purpose: string): Random {
  // FNV-1a over the purpose, so that tables do not share a stream; then sfc32 (Doty-Humphrey, PractRand), warmed up.
  let hash = 0x811c9dc5;
  for (const character of purpose) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  let [a, b, c, d] = [seed | 0, hash | 0, 0x9e3779b9 | 0, 1];
  const uniform = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 16; round++) uniform();
  // Box and Muller's; 1 − u is never 0.
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const gamma = (shape: number) => drawGamma(shape, uniform, normal);
  return {
    uniform,
    normal,
    beta(first, second) {
      const x = gamma(first);
      const y = gamma(second);
      // Both may vanish for tiny shapes; then the mass lies at the ends.
      return x + y > 0 ? x / (x + y) : uniform() < first / (first + second) ? 1 : 0;
    },
    yes: (p) => (uniform() < p ? 1 : 0),
  };
}

/** Gamma(shape, 1) by Marsaglia and Tsang (2000). */
function drawGamma(shape: number, uniform: () => number, normal: () => number): number {
  if (shape < 1) return drawGamma(shape + 1, uniform, normal) * (1 - uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
