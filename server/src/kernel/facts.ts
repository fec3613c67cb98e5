import type { Reader } from "./db.ts";

/**
 * Facts that the stages decide from, kept in the memory of every process: keys, deployments, verdicts, policies.
 * `load` reads all of them; a change in one of `topic`'s tables touches the topic in its transaction, and every process reloads.
 */
export interface FactSet<T> {
  readonly topic: string;
  load(db: Reader): Promise<T>;
}

/** Declares a set of facts. */
export function defineFacts<T>(facts: FactSet<T>): FactSet<T> {
  return facts;
}

/** Reading facts never waits. */
export interface FactsReader {
  get<T>(facts: FactSet<T>): T;
}
