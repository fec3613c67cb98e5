/** What other slices may ask of schedules. */

export { confirmableSchedule, standingSchedule } from "./schedule-content.ts";
export { dependentSchedules } from "./schedule-dependents.ts";
