import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exampleFeedback, exampleTask } from "../../example.ts";
import { FeedbackBody, TaskFeedback, TaskId } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { lockTask } from "../../tasks/store.ts";
import { type JudgedTask, loadJudged, recordOutcome } from "../outcome.ts";
import { feedbackFaults, feedbackView } from "../rules.ts";

export const submitFeedback = defineOperation({
  id: "tasks.submitFeedback",
  method: "POST",
  path: "/v1/tasks/{task}/feedback",
  status: 201,
  listed: true,
  summary: "Rate or correct the outcome of a task",
  description:
    "Says whether the outcome of a task that completed or failed was right, and what would have been. It is evidence for the trust score of its skill and, where the right output is known, an example to learn from. The latest word on a task counts.",
  params: Type.Object({ task: TaskId }),
  body: FeedbackBody,
  output: TaskFeedback,
  example: {
    params: { task: exampleTask.task_id },
    body: { accepted: false, correction: { qualified: false }, comment: "This company closed last year." },
    output: exampleFeedback,
  },
  permission: "tasks:feedback",
  load: (ctx, { task }) => loadJudged(ctx, task),
  validate: (_ctx, { loaded, body }) => feedbackFaults(loaded, loaded.judge, body),
  gate: exempt("speaks about work that is done, starts none"),
  decides: ["training", "rules"],
  compliance: governs("task.feedback", (ctx, { loaded }: { loaded: JudgedTask }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const task = await lockTask(ctx, loaded.id);
    if (task?.status !== "completed" && task?.status !== "failed") {
      throw refuse(
        conflict,
        `The task is ${task?.status ?? "gone"}; only the outcome of one that completed or failed can be judged.`,
      );
    }
    const { row, counts } = await recordOutcome(ctx, task, body, "volunteered");
    return feedbackView(row, counts);
  },
});
