/** What other slices and the wiring may ask of missions. */

export { missionQuestions } from "./decisions/store.ts";
export { decidersOfMissionText } from "./missions/accountable.ts";
export { dependentMissions } from "./missions/store.ts";
export { reserveTask } from "./work/reserve.ts";
