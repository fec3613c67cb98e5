import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { changeTask } from "../operations/change-task.ts";
import { dispatchBatch } from "../operations/dispatch-batch.ts";
import { giveInput } from "../operations/give-input.ts";
import { listTaskEvents } from "../operations/list-task-events.ts";
import { listTaskSteps } from "../operations/list-task-steps.ts";
import { readTaskResult } from "../operations/read-task-result.ts";
import { retryTask } from "../operations/retry-task.ts";
import type { TaskEventsPort } from "../ports.ts";

// What callers do with tasks beyond dispatch: batches, changes, events, steps, results.

export const createOperations = (taskEvents: TaskEventsPort): readonly Operation[] => [
  dispatchBatch,
  changeTask,
  retryTask,
  giveInput,
  listTaskEvents(taskEvents),
  listTaskSteps,
  readTaskResult(taskEvents),
];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
