/** What other slices may ask of workflows. */

export { fileOf as workflowFile } from "./definitions/file.ts";
export { definitionFromSource } from "./definitions/parser.ts";
export { runStarted } from "./events.ts";
export { withExpressions } from "./expression-threads.ts";
export { deadRuns, stoppedTriggers } from "./inbox.ts";
export { type MissionPermit, type MissionTaskRequest, missionTasks } from "./ports.ts";
export { settleMissionJob, wakeMission } from "./runs/end.ts";
export { holdsOfMissions } from "./runs/held-by.ts";
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
} from "./runs/mission-runs.ts";
export { confirmableTrigger, standingTrigger } from "./triggers/confirmation.ts";
export { type EventSubjects, eventSubjects } from "./triggers/event-deciders.ts";
export { confirmableWorkflow, unlooked as workflowDeciders } from "./versions/deciders.ts";
export { findWorkflowName } from "./versions/live.ts";
export { dependentWorkflows, findVersion as findWorkflowVersion } from "./versions/store.ts";
