import type { Decider } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import type { QueryContext, Reader } from "../../kernel/db.ts";
import type { GateConsequence, GateState } from "../../kernel/gate-table.ts";
import type { Statements } from "../../kernel/machines.ts";
import { definePort } from "../../kernel/port.ts";
import type { SkillOutcome, SkillRunner } from "../../kernel/skill-runner.ts";
import type { DatedPair } from "./training/rules.ts";

/** Runs skills for previews, in the process of the call. */
export interface PreviewPort {
  /** Returns null if too many run already. */
  run(request: Parameters<SkillRunner["run"]>[0]): Promise<SkillOutcome | null>;
}
export const previewPort = definePort<PreviewPort>("previews");

// What agents need of slices that import agents.

interface QueuedTasks {
  /** Wakes workers for queued tasks of one agent, or of all; in one environment, or in every one. */
  wake(ctx: WriteContext, of: { readonly agent: string | null; readonly everywhere: boolean }): Promise<void>;
  /** Moves queued tasks to another version, where they fit; `move` false only counts them. */
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

export interface TrainingSet {
  readonly dataset_id: string;
  readonly agent: string;
  readonly skill: string;
  readonly version: number;
  readonly items: number;
}

interface TrainingSources {
  /** Feedback given before `before` (an id), newest tasks first, and how many tasks are left out because they were changed. */
  listTaught(
    ctx: Pick<CallContext, "seals" | "scope"> & { readonly db: Statements },
    of: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
  ): Promise<{ readonly examples: DatedPair[]; readonly notIntact: number }>;
  /** By id or name. The caller checks that its agent may be seen. */
  findDataset(ctx: ReadContext | WriteContext, reference: string): Promise<TrainingSet | undefined>;
  /** Without what a second person has confirmed here. */
  authorsOf(ctx: ReadContext | WriteContext, dataset: string, version: number): Promise<readonly Decider[]>;
  /** Members accountable for the feedback and the tasks of `listTaught`, with their latest time. */
  listTeachers(
    ctx: ReadContext | WriteContext,
    of: { readonly agent: string; readonly skill: string; readonly before: string; readonly most: number },
  ): Promise<readonly { readonly id: string; readonly at: Date }[]>;
  /** In batches, in their order. */
  readItems(
    db: Statements,
    organization: string,
    dataset: string,
    version: number,
  ): AsyncIterable<readonly { readonly input: object; readonly expected: object; readonly at: number }[]>;
}
export const trainingSources = definePort<TrainingSources>("training sources");

interface Comparisons {
  /** Why the open verdict on a version was not drawn against the live one, and what follows; undefined if it was, or there is none. */
  findMissing(
    ctx: CallContext & { readonly db: Pick<Reader, "query"> },
    version: { readonly agent: string; readonly id: string },
    live: { readonly id: string; readonly number: number },
  ): Promise<{ readonly reason: string; readonly consequence: GateConsequence } | undefined>;
}
export const comparisons = definePort<Comparisons>("comparisons");

export interface BaseFreshness {
  readonly name: string;
  readonly documents: number;
  readonly failed: number;
  readonly stale: number;
  /** Connectors that failed the last time or are paused. */
  readonly connectors: readonly string[];
}

/** A limit of a budget that applies to an agent. */
export interface BudgetLimit {
  readonly scope: string;
  readonly unit: string;
  readonly period: string;
  readonly state: "ok" | "warning" | "exhausted";
}

type Knowing = Pick<CallContext, "facts" | "scope" | "now">;
/** Joined by evaluations, governance and knowledge. */
export interface HealthSources {
  gate(
    ctx: Knowing,
    agent: string,
    versionId: string,
  ): { readonly state: GateState; readonly consequence: GateConsequence; readonly reasons: readonly string[] };
  /** The kill switch or pause that stops an action. */
  hold(
    ctx: Knowing,
    action: string,
    of: {
      readonly agent: string;
      readonly versionId: string;
      readonly skill?: string;
      readonly tool?: string;
      readonly model?: string;
    },
  ): { readonly source: string; readonly detail: string } | null;
  budgets(ctx: QueryContext, scopes: readonly string[]): Promise<readonly BudgetLimit[]>;
  /** Of those bases that exist in the environment. */
  knowledge(ctx: QueryContext, bases: readonly string[]): Promise<readonly BaseFreshness[]>;
}
export const healthSources = definePort<HealthSources>("health of agents");
