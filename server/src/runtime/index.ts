export { createModels, type ModelParts, type Models } from "./models.ts";
export {
  type Failure,
  type Lease,
  leaseTimes,
  type RunHold,
  type SkillRun,
  type TaskRun,
  type TaskRunnerPort,
} from "./port.ts";
export { createRemote, type Remote } from "./remote.ts";
export { createSkillRunner, type SandboxPort } from "./sandbox.ts";
export { createSkills, type Skills } from "./skills.ts";
export { createRunWatch, type RunWatchParts } from "./spans.ts";
export type { ProviderSpec, SkillModel } from "./specs.ts";
export { createOpenApiDescriptions, type HttpCredentials } from "./tools/http.ts";
export { noRunWatch, type RunWatch } from "./watch.ts";
export { createWorker, newWorkerId, runTaskJob, type Worker, type WorkerOptions } from "./worker.ts";
