/** What other slices and the wiring may ask of missions. */

export { dependentMissions } from "./dependents.ts";
export { reserveTask } from "./reserve.ts";
