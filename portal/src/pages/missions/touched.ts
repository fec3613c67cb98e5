/** Reads that a change of a mission makes stale. */
export const touched = [
  "/v1/missions",
  "/v1/missions/{mission}",
  "/v1/missions/{mission}/tasks",
  "/v1/missions/{mission}/budget",
  "/v1/missions/{mission}/timeline",
  "/v1/missions/{mission}/report",
  "/v1/missions/{mission}/plans",
] as const;
