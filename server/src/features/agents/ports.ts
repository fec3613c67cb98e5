import type { Decider } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { GateConsequence } from "../../kernel/gate-table.ts";
import type { Statements } from "../../kernel/machines.ts";
import { definePort } from "../../kernel/port.ts";
import type { DatedPair } from "./training-model.ts";

export type { PreviewPort } from "./preview-port.ts";

// What agents need of tasks and evaluations, which call agents themselves.

/** Queued tasks, for whoever changes what they wait for or run as. */
export interface QueuedTasks {
  /** Wakes workers for those of one agent, or of all, in the call's environment or in every one. */
  wake(ctx: WriteContext, of: { readonly agent: string | null; readonly everywhere: boolean }): Promise<void>;
  /** Gives those of an agent to another of its versions, where they fit; `move` false: only counts them. */
  move(
    ctx: WriteContext,
    move: {
      readonly agent: string;
      readonly from: string;
      readonly to: { readonly id: string; readonly number: number };
      readonly move: boolean;
    },
  ): Promise<{ moved: number; kept: number }>;
}
export const queuedTasks = definePort<QueuedTasks>("queued tasks");

/** A dataset as training names it. */
export interface TrainingSet {
  readonly dataset_id: string;
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  /** How many items its present version has. */
  readonly items: number;
}

export interface TrainingSources {
  /** What people taught a skill by feedback given before `before` (an id), newest tasks first, and how many tasks are left out because they were changed. */
  listTaught(
    ctx: Pick<CallContext, "seals" | "scope"> & { readonly db: Statements },
    of: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
  ): Promise<{ readonly examples: DatedPair[]; readonly notIntact: number }>;
  /** A dataset by id or name. Whether the caller may see its agent is the caller's to ask. */
  findDataset(ctx: ReadContext | WriteContext, reference: string): Promise<TrainingSet | undefined>;
  /** Who decided a version of a dataset, without what a second person has looked at here. */
  authorsOf(ctx: ReadContext | WriteContext, dataset: string, version: number): Promise<readonly Decider[]>;
  /** Members accountable for what `listTaught` returns, for the feedback and for the tasks, each with when the latest of it was said. */
  listTeachers(
    ctx: ReadContext | WriteContext,
    of: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
  ): Promise<readonly { readonly id: string; readonly at: Date }[]>;
  /** The items of a version of a dataset, part by part in their order. */
  readItems(
    db: Statements,
    organization: string,
    dataset: string,
    version: number,
  ): AsyncIterable<readonly { readonly input: object; readonly expected: object; readonly at: number }[]>;
}
export const trainingSources = definePort<TrainingSources>("training sources");

export interface Comparisons {
  /** Why the open verdict on a version says nothing of the one that is live, and what follows from that; undefined where it was compared, or no open verdict is in force. */
  findMissing(
    ctx: CallContext & { readonly db: Pick<Reader, "query"> },
    version: { readonly agent: string; readonly id: string },
    live: { readonly id: string; readonly number: number },
  ): Promise<{ readonly reason: string; readonly consequence: GateConsequence } | undefined>;
}
export const comparisons = definePort<Comparisons>("comparisons");
