import type { Environment } from "./principal.ts";

// What follows from the state of an evaluation gate.

/** What the gate knows of a version: its verdict, or that there is none, or that it is out of date. */
export type GateState = "open" | "failed" | "inconclusive" | "expired" | "missing";

/** `go`: the call goes on. `tag`: it goes on, tagged with the state. `approve`: it waits for people. `refuse`: 409. */
export type GateConsequence = "go" | "approve" | "refuse" | "tag";

/** What an agent's gate says of its own, in the place of the environment's rule; an open gate lets calls go on whatever it says. */
export type GateOverride = Readonly<Partial<Record<Exclude<GateState, "open">, Exclude<GateConsequence, "go">>>>;

/** What follows from each state in each environment, where a gate says nothing of its own. */
export const gateTable: Readonly<Record<Environment, Readonly<Record<GateState, GateConsequence>>>> = {
  production: { open: "go", failed: "refuse", inconclusive: "approve", expired: "approve", missing: "approve" },
  staging: { open: "go", failed: "refuse", inconclusive: "approve", expired: "approve", missing: "approve" },
  development: { open: "go", failed: "tag", inconclusive: "tag", expired: "tag", missing: "tag" },
};

/** A verdict as it was drawn, and until when it holds (milliseconds since the epoch). */
export interface DatedVerdict {
  readonly verdict: "open" | "failed" | "inconclusive";
  readonly expiresAt: number;
}

/** The state of a version's gate at a moment. Missing and outdated evidence are states of their own, never silently open; a failure is final, however old. */
export function gateState(known: DatedVerdict | undefined, now: number): GateState {
  if (!known) return "missing";
  return known.expiresAt <= now && known.verdict !== "failed" ? "expired" : known.verdict;
}

/** What follows from a state in an environment under an agent's gate. */
export function gateConsequence(environment: Environment, override: GateOverride, state: GateState): GateConsequence {
  return (state === "open" ? undefined : override[state]) ?? gateTable[environment][state];
}
