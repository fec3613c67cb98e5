import { textOf, wordOf, wordsOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const statuses = [
  ...(["draft", "ready", "running", "paused", "blocked"] as const),
  ...(["finished", "completed", "cancelled"] as const),
] as const;
export const missionTabs = ["plan", "timeline", "report", "settings"] as const;

export interface MissionsSearch {
  /** States, separated by commas; all by default. */
  readonly status?: string;
  readonly cursor?: string;
}
export interface MissionSearch {
  readonly tab?: (typeof missionTabs)[number];
  /** The step of the plan that is looked at. */
  readonly step?: string;
}

export const listSearch = (given: Record<string, unknown>): MissionsSearch => ({
  status: wordsOf(given, "status", statuses)?.join(","),
  cursor: textOf(given, "cursor"),
});
export const missionSearch = (given: Record<string, unknown>): MissionSearch => ({
  tab: wordOf(given, "tab", missionTabs),
  step: textOf(given, "step"),
});
