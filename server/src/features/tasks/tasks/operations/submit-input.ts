import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exampleTask } from "../../example.ts";
import { Task, TaskId, TaskInput } from "../../schemas.ts";
import { shownTask } from "../held-by.ts";
import { answerFaults, answerTask } from "../question.ts";
import { aboutTask, taskRead } from "../stages.ts";
import { findTask, lockTask, type TaskRow } from "../store.ts";
import { askedOf } from "../view.ts";

export const submitInput = defineOperation({
  id: "tasks.submitInput",
  method: "POST",
  path: "/v1/tasks/{task}/input",
  status: 202,
  location: ({ task_id }) => `/v1/tasks/${task_id}`,
  listed: true,
  summary: "Give a task what it asked for",
  description:
    "Answers the question of a task in state `input_required` (its `question`). The run goes on where it stands, with the answer as data, never as instructions. " +
    "Where it is asked whether a call took effect whose end nobody saw, the answer decides whether it is made again.",
  params: Type.Object({ task: TaskId }),
  body: TaskInput,
  output: Task,
  example: {
    params: { task: exampleTask.task_id },
    body: { answer: "The plan for teams." },
    output: { ...exampleTask, status: "queued" },
  },
  permission: "tasks:write",
  load: (ctx, { task }) => findTask(ctx, task),
  validate: (_ctx, { loaded, body }) => (meansAnother(loaded, body) ? [] : answerFaults(askedOf(loaded), body.answer)),
  gate: exempt("the gate is asked when a worker goes on with the task"),
  decides: "answer",
  compliance: governs("task.input", (ctx, { loaded, body }: { loaded: TaskRow; body: TaskInput }) => ({
    ...taskRead(ctx, loaded),
    version: { number: loaded.version_number, id: loaded.version_id },
    input: { answer: body.answer },
  })),
  audit: aboutTask,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    const task = await lockTask(ctx, loaded.id);
    const asked = task && askedOf(task);
    if (task?.status !== "input_required" || !asked) {
      throw refuse(conflict, `The task is ${task?.status ?? "gone"}; only one that waits for input can be given any.`);
    }
    if (asked.step_id !== askedOf(loaded)?.step_id || meansAnother(task, body))
      throw refuse(conflict, "The task asks something else by now; read its question again.");
    const row = await answerTask(ctx, task, asked, body.answer);
    return shownTask(ctx, row);
  },
});

/** Whether the answer is to another question than the task's. */
const meansAnother = (task: TaskRow, { step_id }: TaskInput): boolean =>
  step_id !== undefined && step_id !== askedOf(task)?.step_id;
