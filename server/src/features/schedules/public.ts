/** What other slices may ask of schedules. */

export { confirmableSchedule, standingSchedule } from "./content.ts";
export { dependentSchedules } from "./dependents.ts";
