/** The sequential test of a canary against the live version, pure. */
export { type ArmSums, armInterval, type Comparison, countedArm, noTasks, type Stage } from "./compare.ts";
export { canaryConfig } from "./config.ts";
export {
  type CanaryEvidence,
  type CanaryLook,
  type CanaryOutlook,
  type CanaryVerdict,
  dueAt,
  lookAtCanary,
  lookLevels,
  outlookOf,
  total,
} from "./decide.ts";
