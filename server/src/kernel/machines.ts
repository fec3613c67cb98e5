import type { Trainer } from "@aos/builtin-model";
import type { Clock } from "./clock.ts";
import type { Reader } from "./db.ts";
import type { FactsReader } from "./facts.ts";
import type { NewId } from "./ids.ts";
import type { Meter } from "./metrics.ts";
import type { InsideOperation } from "./operation.ts";
import type { PortReader } from "./port.ts";
import type { Scope } from "./principal.ts";
import type { Seals } from "./seals.ts";
import type { SkillRunner } from "./skill-runner.ts";

// What slices do outside of calls: by the clock, or because a job woke them. Their effects are calls of their own, made by `inside`.

/** A handle that may write; outside of calls only machines have one. */
export interface Statements {
  query: Reader["query"];
}

/** Runs an operation as a call of its own through the pipeline; a refusal is thrown, and where the service itself failed an `InfrastructureError`. */
export type RunInside = <I, O>(operation: InsideOperation<I, O>, scope: Scope, input: I) => Promise<O>;

/** What a sweep is given. */
export interface SweepParts extends PortReader {
  /** The sweeper's session: what a sweep looks for, over all scopes. */
  readonly db: Statements;
  /** As `system:sweeper`. */
  readonly inside: RunInside;
  /** When the look began, in milliseconds since the epoch. */
  readonly now: number;
  readonly facts: FactsReader;
}

/**
 * What a slice looks after about once a second, in one process at a time. A look takes up a bounded number of rows by an index of its own and leaves the
 * rest to the next one; what it throws is reported and keeps no other sweep from its look.
 */
export interface Sweep {
  /** `<slice or topic>.<verb>`, for reports. */
  readonly name: string;
  run(parts: SweepParts): Promise<void>;
}

/** The payload is what was enqueued, as JSON. A handler that throws is called again later; an outcome of the business is never thrown. */
export type JobHandler = (payload: unknown) => Promise<void>;

/** Handlers by the name of the job that `ctx.enqueue` writes. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** What a slice makes its handlers of jobs from, in a process that works. */
export interface JobParts extends PortReader {
  readonly db: Statements;
  /** As `system:worker`. */
  readonly inside: RunInside;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly facts: FactsReader;
  readonly seals: Seals;
  readonly skills: SkillRunner;
  readonly trainer: Trainer;
  readonly meter: Meter;
}
