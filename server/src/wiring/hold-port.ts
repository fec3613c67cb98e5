import type { FactStore } from "../db/facts.ts";
import { holdOn } from "../features/governance/index.ts";
import type { Machine } from "../pipeline/ports.ts";

/** What stops and pauses say of a call, from the facts in memory. */
export function createHoldPort(facts: FactStore): Machine["ports"]["hold"] {
  return (scope, action, of) => holdOn({ facts, scope }, action, of);
}
