export { createSweeper } from "./jobs/sweeper.ts";
export { requeueTask } from "./operations/requeue-task.ts";
export { createRunnerPort } from "./runtime-port.ts";
export { createSandboxPort } from "./sandbox-port.ts";
