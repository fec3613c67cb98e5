export { type Failure, type Lease, leaseTimes, type RunHold, type TaskRun, type TaskRunnerPort } from "./port.ts";
export { createWorker, newWorkerId, runTaskJob, type Worker, type WorkerOptions } from "./worker.ts";
