export { createTaskFeed } from "./events/feed.ts";
export type { TaskEvent, TaskEventsPort } from "./ports.ts";
export { createSweeper } from "./runs/jobs/sweeper.ts";
export { requeueTask } from "./runs/operations/requeue-task.ts";
export { createRunnerPort } from "./runs/runtime-port.ts";
export { createSandboxPort } from "./runs/sandbox-port.ts";
export { sealEarlierTasks } from "./steps/backfill-seals.ts";
