export { GateDirectory, type GateVerdict, gateFacts } from "./facts.ts";
export { createJobs, facts, operations, sweeps } from "./lists/evaluations.ts";
export { sealEarlierRuns } from "./run-seal.ts";
