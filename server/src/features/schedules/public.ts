/** What other slices may ask of schedules. */

export { dependentSchedules } from "./schedule-dependents.ts";
