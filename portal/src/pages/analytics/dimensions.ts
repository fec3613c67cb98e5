import { readAnalyticsSchema } from "../../api/analytics-query.ts";
import { useLive } from "../../api/queries.ts";

/** Dimensions of tasks by which tables can be distinguished. */
const ofTasks = ["agent", "version", "skill", "model", "key", "member", "risk", "status", "origin"];

/** Those of tasks, and labels that are declared here. */
export const useDimensions = (): readonly string[] => [...ofTasks, ...useLabels()];

/** Labels that are declared as dimensions here, `label:<name>`. */
export function useLabels(): readonly string[] {
  const { data } = useLive(readAnalyticsSchema());
  return (data?.labels ?? []).map((name) => (name.startsWith("label:") ? name : `label:${name}`));
}
