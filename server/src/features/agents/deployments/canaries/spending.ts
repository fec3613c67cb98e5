import { normalTail } from "@aos/statistics";
import { canaryConfig } from "./compare.ts";

// Error spending over looks (Lan and DeMets 1983): their number and times are free.

/** Judged tasks at the next look after one at `judged`; `most` is always the last. */
export function nextLookAt(judged: number, most: number): number {
  const { first_look: first } = canaryConfig;
  const step = judged < 100 ? 25 : judged < 300 ? 50 : Math.ceil(judged / 3);
  const next = judged < first ? first : judged + step;
  return judged < most && next * 1.1 > most ? most : next;
}

/** Share of the error spent by a look at so many judged tasks. Aborting spends most of it early, without end. */
export function spentOnAbort(judged: number): number {
  const { abort_scale: scale, abort_power: power, abort_rest: rest } = canaryConfig;
  return (1 - rest) * -Math.expm1(-((judged / scale) ** power)) + (rest * judged) / (judged + 4 * scale);
}
/** Promoting: the greater the power, the later it is spent, and the less is lost against a single look at the end. */
export const spentOnPromotion = (judged: number, most: number, power: number): number =>
  Math.min(1, judged / most) ** power;

const grid = 241;
const widest = 7;
/** Caches bounds and densities by the looks up to them. */
const known = new Map<string, number>();
const densities = new Map<string, Density>();
const keyOf = (looks: readonly SpendingLook[]): string => looks.map(({ at, spent }) => `${at}:${spent}`).join(" ");

interface SpendingLook {
  readonly at: number;
  /** Cumulative error spent. */
  readonly spent: number;
}

/**
 * The p-value at or below which the last of these looks decides, so that the chance of deciding falsely by it or any look before is what they spend. The statistics
 * of looks are those of a Brownian motion, one-sided, which a decision ends (Armitage, McPherson and Rowe 1969).
 */
export function levelOf(looks: readonly SpendingLook[]): number {
  const last = looks.at(-1) as SpendingLook;
  return normalTail(boundOf(looks) / Math.sqrt(last.at));
}

function boundOf(looks: readonly SpendingLook[]): number {
  const key = keyOf(looks);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const last = looks.at(-1) as SpendingLook;
  const before = looks.at(-2) ?? { at: 0, spent: 0 };
  const spread = Math.sqrt(last.at - before.at);
  const density = looks.length > 1 ? densityAfter(looks.slice(0, -1)) : undefined;
  const beyond = (bound: number): number => (density ? crossing(density, bound, spread) : normalTail(bound / spread));
  const bound = solve(beyond, Math.max(last.spent - before.spent, 0), Math.sqrt(last.at));
  if (known.size > 10_000) known.clear();
  known.set(key, bound);
  return bound;
}

/** Density of a motion that none of these looks decided. */
function densityAfter(looks: readonly SpendingLook[]): Density {
  const key = keyOf(looks);
  let density = densities.get(key);
  if (!density) {
    const earlier = looks.slice(0, -1);
    const { at } = looks.at(-1) as SpendingLook;
    const spread = Math.sqrt(at - (earlier.at(-1)?.at ?? 0));
    density = carried(earlier.length > 0 ? densityAfter(earlier) : undefined, boundOf(looks), spread, at);
    if (densities.size > 2_000) densities.clear();
    densities.set(key, density);
  }
  return density;
}

interface Density {
  readonly from: number;
  readonly step: number;
  /** Weighted for integration by trapezes. */
  readonly mass: Float64Array;
}

function crossing({ from, step, mass }: Density, bound: number, spread: number): number {
  let sum = 0;
  for (let i = 0; i < grid; i++) sum += mass[i]! * normalTail((bound - (from + i * step)) / spread);
  return sum;
}

/** Finds where `beyond` falls to `error`; Infinity where nothing may be spent. */
function solve(beyond: (bound: number) => number, error: number, deviation: number): number {
  let [low, high] = [-widest * deviation, widest * deviation];
  if (beyond(high) >= error) return high;
  for (let round = 0; round < 50; round++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > error) low = middle;
    else high = middle;
  }
  return high;
}

/** Density at a look below its bound. */
function carried(density: Density | undefined, bound: number, spread: number, at: number): Density {
  const from = -widest * Math.sqrt(at);
  const step = (bound - from) / (grid - 1);
  const mass = new Float64Array(grid);
  const normal = (z: number): number => Math.exp(-0.5 * z * z) / (spread * Math.sqrt(2 * Math.PI));
  for (let i = 0; i < grid; i++) {
    const x = from + i * step;
    let value = 0;
    if (!density) value = normal(x / spread);
    else
      for (let j = 0; j < grid; j++) value += density.mass[j]! * normal((x - density.from - j * density.step) / spread);
    mass[i] = value * step * (i === 0 || i === grid - 1 ? 0.5 : 1);
  }
  return { from, step, mass };
}
