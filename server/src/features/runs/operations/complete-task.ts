import type { WriteContext } from "../../../kernel/context.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import type { TrustCase } from "../../../kernel/trust/index.ts";
import {
  addDeciders,
  eventOf,
  findTask,
  lockTask,
  recordCompletion,
  taskCompleted,
  triedAgain,
  trustOf,
  trustText,
} from "../../tasks/public.ts";
import type { Task } from "../../tasks/schemas.ts";
import { holdCompletion } from "../guards.ts";
import { type HeldRun, writeLateEnd } from "../held-run.ts";
import { decidersOfAllRead, decidersOfPassages } from "../read-passages.ts";
import { endRun } from "../store.ts";
import { auditOfTask, type Ended, endedAs } from "./ended.ts";

export interface CompleteTask {
  readonly task: string;
  readonly owner: string;
  readonly output: Readonly<Record<string, unknown>>;
  /** What the model said of its own answer. */
  readonly features: TrustCase;
  /** What the model held possible for fields of the output; null: it did not say. */
  readonly predictions: Task["predictions"];
  /** The run, where the process that completes it started it. */
  readonly held?: HeldRun;
}

const textOf = ({ predictions }: CompleteTask): string | null =>
  predictions === null ? null : JSON.stringify(predictions);

/** Ends a task with its result. The trust score is computed anew: the model has said how sure it is, and labels may have come. */
export const completeTask: InsideOperation<CompleteTask, Ended> = defineInside({
  id: "tasks.completeTask",
  summary: "Complete a task",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { task, held }: CompleteTask) => held?.work.row ?? findTask(ctx, task),
  gate: exempt("ends work, starts none"),
  compliance: exempt("ends what policies saw at its start and at each of its actions"),
  audit: ({ params, loaded, output }) => auditOfTask(params.task, loaded, output),
  emits: [taskCompleted],
  errors: [conflict],
  together(ctx, { params, loaded }): Ended | undefined {
    if (loaded.approval_id !== null || !params.held || triedAgain(loaded)) return undefined;
    if (isReadOn(params.held)) return undefined;
    const trust = trustOf(ctx, loaded.version_id, loaded.skill, params.features);
    const row = holdCompletion(ctx, loaded, {
      owner: params.owner,
      output: JSON.stringify(params.output),
      predictions: textOf(params),
      trust: { score: trust.score, text: trustText(trust) },
      late: params.held.late,
    });
    ctx.emit(taskCompleted, ...eventOf(row));
    return endedAs(row);
  },
  async handle(ctx, { params, loaded }): Promise<Ended> {
    await writeLateEnd(ctx, params);
    if (loaded.run_id !== null) await notePassages(ctx, params);
    const trust = trustOf(ctx, loaded.version_id, loaded.skill, params.features);
    const row = await endRun(ctx, params.owner, {
      id: params.task,
      to: "completed",
      output: JSON.stringify(params.output),
      predictions: textOf(params),
      trust: { score: trust.score, text: trustText(trust) },
    });
    await recordCompletion(ctx, row, params.features);
    ctx.emit(taskCompleted, ...eventOf(row));
    return endedAs(row);
  },
});

/** Whether later steps of a workflow's run may take texts from what this one answers. */
const isReadOn = ({ work: { row, tools } }: HeldRun): boolean =>
  row.run_id !== null && tools.some(({ kind }) => kind === "record" || kind === "search");

/** Whoever decided the texts from which the answer comes decides what later steps take from it. */
async function notePassages(ctx: WriteContext, { task: id, output }: CompleteTask): Promise<void> {
  const row = await lockTask(ctx, id);
  if (row?.status !== "running") return;
  // A step that only looks something up answers with all that it read, and conditions may read switches and counts of that.
  const passages =
    typeof directOf(row.skill) === "object"
      ? await decidersOfAllRead(ctx, row)
      : await decidersOfPassages(ctx, row, { arguments: output, shown: output });
  if (passages.length > 0) await addDeciders(ctx, row, passages);
}
