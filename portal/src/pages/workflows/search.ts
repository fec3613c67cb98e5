import { textOf, wordOf, wordsOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

/** From this width on a graph is drawn large; below it, the list of its steps says more. */
export const wideEnough = "(min-width: 700px)";

export const runStatuses = [
  ...(["queued", "running", "waiting", "paused", "compensating", "compensated"] as const),
  ...(["compensation_failed", "completed", "failed", "cancelled"] as const),
] as const;
export const listTabs = ["workflows", "runs", "dead_letters", "hooks"] as const;
export const workflowTabs = ["design", "runs", "versions", "triggers"] as const;

export interface WorkflowsSearch {
  readonly tab?: (typeof listTabs)[number];
  /** States of runs, separated by commas; all by default. */
  readonly status?: string;
  readonly workflow?: string;
  readonly cursor?: string;
}
export interface WorkflowSearch {
  readonly tab?: (typeof workflowTabs)[number];
  readonly status?: string;
  readonly cursor?: string;
}
export interface RunSearch {
  /** The step that is looked at. */
  readonly step?: string;
}

type Given = Record<string, unknown>;
export const listSearch = (given: Given): WorkflowsSearch => ({
  tab: wordOf(given, "tab", listTabs),
  status: wordsOf(given, "status", runStatuses)?.join(","),
  workflow: textOf(given, "workflow"),
  cursor: textOf(given, "cursor"),
});
export const workflowSearch = (given: Given): WorkflowSearch => ({
  tab: wordOf(given, "tab", workflowTabs),
  status: wordsOf(given, "status", runStatuses)?.join(","),
  cursor: textOf(given, "cursor"),
});
export const runSearch = (given: Given): RunSearch => ({ step: textOf(given, "step") });
