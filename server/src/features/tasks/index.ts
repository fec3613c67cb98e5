import type { FactSet } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { blockTask } from "./operations/block-task.ts";
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

export { createSweeper } from "./jobs/sweeper.ts";
export { createRunnerPort } from "./runtime-port.ts";

/** What callers can do. */
const forCallers: readonly Operation[] = [dispatchTask, listTasks, readTask, cancelTask];
/** What workers and the sweeper do, as calls of their own. */
const forMachines: readonly Operation[] = [startTask, callTool, completeTask, failTask, blockTask, requeueTask, expireTask];

export const operations: readonly Operation[] = [...forCallers, ...forMachines];
export const facts: readonly FactSet<unknown>[] = [];
