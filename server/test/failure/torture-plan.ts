import { createRandom } from "../../../scripts/simulate/random.ts";

/** What the harness does to the installation, and when (milliseconds after the load began). */
export type Blow =
  | { readonly at: number; readonly kind: "kill"; readonly process: number; readonly restartAfterMs: number }
  | { readonly at: number; readonly kind: "pause"; readonly forMs: number }
  | { readonly at: number; readonly kind: "terminate"; readonly backends: number };

export interface PlanOptions {
  readonly seed: number;
  /** SIGKILLs, over all processes. */
  readonly kills: number;
  /** Times that all of PostgreSQL stands still. */
  readonly pauses: number;
  readonly pauseMs: number;
  /** How often backends are terminated. */
  readonly terminations: number;
  /** How long the load lasts. */
  readonly loadMs: number;
  readonly processes: number;
}

/** Quiet at the beginning and the end of the load, so that there is something to lose and the last blow meets work. */
const calmMs = 5_000;

/** A random plan that its seed repeats, in the order of time. Pauses do not overlap; kills and terminations fall anywhere, into pauses as well. */
export function makePlan(options: PlanOptions): Blow[] {
  const { seed, kills, pauses, pauseMs, terminations, loadMs, processes } = options;
  const { uniform } = createRandom(seed, "torture plan");
  const whole = (below: number): number => Math.floor(uniform() * below);
  const anywhere = (): number => calmMs + whole(loadMs - 2 * calmMs);
  const stretch = (loadMs - 2 * calmMs) / Math.max(1, pauses);
  if (pauses > 0 && stretch < pauseMs) throw new Error("The pauses are longer than the load.");
  const blows: Blow[] = [
    ...Array.from({ length: pauses }, (_, n): Blow => {
      const at = calmMs + n * stretch + whole(stretch - pauseMs);
      return { at, kind: "pause", forMs: pauseMs };
    }),
    ...Array.from({ length: kills }, (): Blow => {
      return { at: anywhere(), kind: "kill", process: whole(processes), restartAfterMs: 1_000 + whole(2_000) };
    }),
    ...Array.from({ length: terminations }, (): Blow => {
      return { at: anywhere(), kind: "terminate", backends: 1 + whole(4) };
    }),
  ];
  return blows.sort((a, b) => a.at - b.at);
}
