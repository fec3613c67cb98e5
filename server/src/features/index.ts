import path from "node:path";
import type { FactSet } from "../kernel/facts.ts";
import type { JobHandlers, JobParts, Sweep } from "../kernel/machines.ts";
import type { Operation } from "../kernel/operation.ts";
import { patient } from "../kernel/patient.ts";
import type { Job } from "../kernel/slice.ts";
import type { EraseWork } from "../resources/tables.ts";
import { signInOperations } from "./admin/index.ts";
import { receiveChannelEvent } from "./chat/index.ts";
import { loadSlices, operationsOf } from "./load.ts";
import { receiveHook } from "./workflows/index.ts";

// The registry. A folder beside this file is a slice, and a file in its `operations` folder is an operation: there is no list to keep.

export const slices = await loadSlices(import.meta.dirname, path.extname(import.meta.filename));

/** Operations whose credential is a signature of another service over the body, so that no description of the interface holds them. */
export const signedOperations = { receiveChannelEvent, receiveHook };

const apart: ReadonlySet<Operation> = new Set([...Object.values(signInOperations), ...Object.values(signedOperations)]);
const declared = operationsOf(slices);
const byId = new Map(declared.map((operation) => [operation.id, operation]));

export const registry = {
  /** Every operation under /v1, and those that machines call; the others HTTP takes at addresses of their own. */
  operations: declared.filter((operation): boolean => !apart.has(operation)) as readonly Operation[],
  /** Throws where no file declares it. */
  operation(id: string): Operation {
    const operation = byId.get(id);
    if (!operation) throw new Error(`No file in an \`operations\` folder declares ${id}.`);
    return operation;
  },
};

export { createProofs, type Proofs, signInOperations } from "./admin/index.ts";
export { createChannelProof, type ProveEvent } from "./chat/index.ts";
export { createHookProof, type ProveHook } from "./workflows/index.ts";

/** Erases what a slice holds of tasks whose contents are erased: one for each owner that says so of its tables. */
export const workErasers: readonly EraseWork[] = [
  ...new Set(
    slices.flatMap(({ tables }) =>
      tables.flatMap(({ personal }) =>
        "columns" in personal && personal.erased.kind === "with work" ? [personal.erased.erase] : [],
      ),
    ),
  ),
];

/** Everything that is kept in memory. */
export const factSets: readonly FactSet<unknown>[] = slices.flatMap(({ slice }) => slice.facts ?? []);

/** Every kind of job besides the one that runs tasks, for which the sweeper itself looks. */
export const jobs: readonly Job[] = slices.flatMap(({ slice }) => slice.jobs ?? []);

/** What slices look after by the clock, in the order in which they look. */
export const sweeps: readonly Sweep[] = [
  ...new Set(
    slices.flatMap(({ slice }) => [
      ...(slice.sweeps ?? []),
      ...(slice.jobs ?? []).flatMap(({ sweep }) => ("run" in sweep ? [sweep] : [])),
    ]),
  ),
];

/** What slices do when a job wakes them, besides running tasks. */
export function createJobs(given: JobParts): JobHandlers {
  const parts = { ...given, inside: patient(given.inside) };
  return Object.fromEntries(jobs.map(({ name, handler }) => [name, handler(parts)]));
}
