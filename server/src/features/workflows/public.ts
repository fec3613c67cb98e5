/** What other slices may ask of workflows. */

export { fileOf as workflowFile } from "./definition-file.ts";
export { dependentWorkflows } from "./dependents.ts";
export { type EventSubjects, eventSubjects } from "./event-deciders.ts";
export { runStarted } from "./events.ts";
export { definitionFromSource } from "./file.ts";
export { holdsOfMissions } from "./held-by.ts";
export { deadRuns, stoppedTriggers } from "./inbox.ts";
export { findWorkflowName } from "./live-version.ts";
export {
  askOfRuns,
  countInMissionRun,
  countUnended,
  decidersOfMissionRuns,
  giveMissionRun,
  listUnmadeTasks,
  type MissionRunEnd,
  type MissionVersion,
  openRunsOf,
  readMissionRun,
  saveMissionVersion,
  startMissionRun,
} from "./mission-runs.ts";
export { settleMissionJob, wakeMission } from "./mission-wake.ts";
export { type MissionPermit, type MissionTaskRequest, missionTasks } from "./ports.ts";
export { withExpressions } from "./threaded.ts";
export { confirmableTrigger, standingTrigger } from "./trigger-content.ts";
export { confirmableWorkflow, unlooked as workflowDeciders } from "./version-deciders.ts";
export { findVersion as findWorkflowVersion } from "./version-store.ts";
