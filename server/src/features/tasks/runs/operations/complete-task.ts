import type { WriteContext } from "../../../../kernel/context.ts";
import { directOf } from "../../../../kernel/direct-skills.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import type { TrustCase } from "../../../../kernel/trust/index.ts";
import { addDeciders } from "../../dispatch/deciders.ts";
import { trustOf, trustText } from "../../dispatch/rules.ts";
import { taskCompleted } from "../../events.ts";
import { recordCompletion, triedAgain } from "../../feedback/outcome.ts";
import type { Task } from "../../schemas.ts";
import { findTask, lockTask } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { decidersOfAllRead, decidersOfPassages } from "../conversation-turns.ts";
import { holdCompletion } from "../guards.ts";
import { type HeldRun, writeLateEnd } from "../holds.ts";
import { auditOfTask, type Ended, endedAs } from "../rules.ts";
import { endRun, refusePaused } from "../store.ts";

export interface CompleteTask {
  readonly task: string;
  readonly owner: string;
  readonly output: Readonly<Record<string, unknown>>;
  /** The model's confidence in its answer. */
  readonly features: TrustCase;
  /** The labels that the model considered for fields of the output; null: unknown. */
  readonly predictions: Task["predictions"];
  /** The run, if the completing process started it. */
  readonly held?: HeldRun;
}

const textOf = ({ predictions }: CompleteTask): string | null =>
  predictions === null ? null : JSON.stringify(predictions);

/** Ends a task with its result. The trust score is computed again: the model has reported its confidence, and labels may have come. */
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
    await refusePaused(ctx, params.task);
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

/** Whether later steps of a workflow's run may read this task's output. */
const isReadOn = ({ work: { row, tools } }: HeldRun): boolean =>
  row.run_id !== null && tools.some(({ kind }) => kind === "record" || kind === "search");

/** Whoever decided the texts of the answer decides what later steps take from it. */
async function notePassages(ctx: WriteContext, { task: id, output }: CompleteTask): Promise<void> {
  const row = await lockTask(ctx, id);
  if (row?.status !== "running") return;
  // A step that only looks something up answers with all that it read, and conditions may read booleans and counts of that.
  const passages =
    typeof directOf(row.skill) === "object"
      ? await decidersOfAllRead(ctx, row)
      : await decidersOfPassages(ctx, row, { arguments: output, shown: output });
  if (passages.length > 0) await addDeciders(ctx, row, passages);
}
