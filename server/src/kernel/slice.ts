import { type ActionTraits, declareActions } from "./actions.ts";
import type { FactSet } from "./facts.ts";
import type { JobHandler, JobParts, Sweep } from "./machines.ts";
import type { Exempt } from "./operation.ts";

/** A kind of job: what a worker does when it is woken. The truth is the row that the payload names; the job only wakes. */
export interface Job {
  /** As `ctx.enqueue` writes it. */
  readonly name: string;
  /**
   * Wakes a worker for rows that no live one holds, within 30 seconds, whatever became of their job: lost with a worker, or failed for good. Exempt where no row
   * waits for the job, so that it suffices that the queue takes up what a dead worker has locked.
   */
  readonly sweep: Sweep | Exempt;
  readonly handler: (parts: JobParts) => JobHandler;
}

/** All that a group of operations declares besides the operations themselves, which are the files in its `operations` folders. */
export interface Slice {
  /** What the group is about: the description of its tag, and its line in the help of the command line. A slice without it is no group: only machines call it. */
  readonly about?: string;
  /** The module of its schemas, `import * as schemas from "./schemas.ts"`: a component of the API description is named as its export. */
  readonly schemas?: object;
  /** The actions that policies can name, with what policies need to know of each. */
  readonly actions: Readonly<Record<string, ActionTraits>>;
  /** What every process keeps in memory. */
  readonly facts?: readonly FactSet<unknown>[];
  /** What the sweeper looks after besides what jobs are for, in this order. */
  readonly sweeps?: readonly Sweep[];
  readonly jobs?: readonly Job[];
}

/** Declares a slice: the one export of `features/<slice>/slice.ts`. */
export function defineSlice(slice: Slice): Slice {
  declareActions(slice.actions);
  return slice;
}
