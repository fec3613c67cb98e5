import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import * as feedback from "./lists/feedback.ts";
import * as stops from "./lists/stops.ts";
import * as surface from "./lists/surface.ts";
import { askInput } from "./operations/ask-input.ts";
import { blockTask } from "./operations/block-task.ts";
import { callModel } from "./operations/call-model.ts";
import { callTool } from "./operations/call-tool.ts";
import { cancelTask } from "./operations/cancel-task.ts";
import { completeTask } from "./operations/complete-task.ts";
import { dispatchTask } from "./operations/dispatch-task.ts";
import { expireTask } from "./operations/expire-task.ts";
import { failTask } from "./operations/fail-task.ts";
import { listTasks } from "./operations/list-tasks.ts";
import { readTask } from "./operations/read-task.ts";
import { requeueTask } from "./operations/requeue-task.ts";
import { startTask } from "./operations/start-task.ts";
import { tryModel } from "./operations/try-model.ts";
import { tryTool } from "./operations/try-tool.ts";
import type { TaskEventsPort } from "./ports.ts";

export { createTaskFeed } from "./event-feed.ts";
export { createSweeper } from "./jobs/sweeper.ts";
export { requeueTask } from "./operations/requeue-task.ts";
export type { TaskEvent, TaskEventsPort } from "./ports.ts";
export { createRunnerPort } from "./runtime-port.ts";
export { createSandboxPort } from "./sandbox-port.ts";
export { sealEarlierTasks } from "./seal-earlier.ts";

/** What callers can do. */
const forCallers = (taskEvents: TaskEventsPort): readonly Operation[] => [
  dispatchTask,
  listTasks,
  readTask(taskEvents),
  cancelTask,
];
/** What workers and the sweeper do, as calls of their own. */
const forMachines: readonly Operation[] = [
  startTask,
  callModel,
  callTool,
  tryModel,
  tryTool,
  askInput,
  completeTask,
  failTask,
  blockTask,
  requeueTask,
  expireTask,
];

/** The operations of this slice, over the feed of what happens to tasks. */
export function createOperations(taskEvents: TaskEventsPort): readonly Operation[] {
  return [
    ...forCallers(taskEvents),
    ...surface.createOperations(taskEvents),
    ...feedback.operations,
    ...forMachines,
    ...stops.operations,
  ];
}

export const facts: readonly FactSet<unknown>[] = [...surface.facts, ...stops.facts];
export const sweeps: readonly Sweep[] = [...surface.sweeps, ...stops.sweeps];
