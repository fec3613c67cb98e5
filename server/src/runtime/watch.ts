import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { CostOf } from "./bounds.ts";
import type { Ending, ToolTaken } from "./endings.ts";
import type { Lease, RunTool, SkillRun, TaskRun } from "./port.ts";
import type { CallPart } from "./transcript.ts";
import type { Turn } from "./turn.ts";

// What the loop tells of its work, for traces and metrics. `spans.ts` hears it; each method runs the work and answers what it answers.

/** A task that a worker is about to claim. */
export interface Claiming {
  readonly lease: Lease;
  /** Why it may matter whose call woke the worker: its `traceparent`; null: nobody's that is traced. */
  readonly wokenBy: string | null;
  /** The `traceparent` of the task's dispatch; asked only where runs are traced. */
  readonly cause: () => Promise<string | null>;
}

/** A model that is being asked, with a prompt as it may see it. */
export interface AskedModel {
  readonly run: SkillRun;
  readonly options: LanguageModelV4CallOptions;
  readonly costOf: CostOf;
}

export interface RunWatch {
  /** `claimed` is called when the task is this worker's. */
  task(claiming: Claiming, work: (claimed: (run: TaskRun) => void) => Promise<string>): Promise<void>;
  run(run: SkillRun, work: () => Promise<Ending>): Promise<Ending>;
  model(asked: AskedModel, work: () => Promise<Turn>): Promise<Turn>;
  tool(run: SkillRun, tool: RunTool, call: CallPart, work: () => Promise<ToolTaken>): Promise<ToolTaken>;
  /** A job besides running tasks; `cause`: the `traceparent` of the call that enqueued it. */
  job(name: string, cause: string | null, work: () => Promise<void>): Promise<void>;
}

/** Hears nothing. */
export const noRunWatch: RunWatch = {
  task: async (_claiming, work) => void (await work(() => undefined)),
  run: (_run, work) => work(),
  model: (_asked, work) => work(),
  tool: (_run, _tool, _call, work) => work(),
  job: (_name, _cause, work) => work(),
};
