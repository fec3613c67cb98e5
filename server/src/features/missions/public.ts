/** What other slices and the wiring may ask of missions. */

export { decidersOfMissionText } from "./accountable.ts";
export { dependentMissions } from "./dependents.ts";
export { missionQuestions } from "./inbox.ts";
export { reserveTask } from "./reserve.ts";
