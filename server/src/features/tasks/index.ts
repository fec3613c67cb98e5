export { createTaskFeed } from "./event-feed.ts";
export { createSweeper } from "./jobs/sweeper.ts";
export { requeueTask } from "./operations/requeue-task.ts";
export type { TaskEvent, TaskEventsPort } from "./ports.ts";
export { createRunnerPort } from "./runtime-port.ts";
export { createSandboxPort } from "./sandbox-port.ts";
export { sealEarlierTasks } from "./seal-earlier.ts";
