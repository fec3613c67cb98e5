export { GateDirectory, type GateVerdict, gateFacts } from "./facts.ts";
export { sealEarlierRuns } from "./run-seal.ts";
