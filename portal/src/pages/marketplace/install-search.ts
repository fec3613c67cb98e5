import { textOf, wordOf } from "../../lib/search.ts";

// What the addresses of installs, recalls and review carry.

export const installTabs = ["setup", "parts", "permissions", "about"] as const;

export interface InstallsSearch {
  readonly cursor?: string;
  /** Removed ones, too. */
  readonly removed?: "yes";
}
export interface InstallSearch {
  readonly tab?: (typeof installTabs)[number];
  /** The dialog of an update is open. */
  readonly update?: "yes";
}
export interface RecallsSearch {
  readonly cursor?: string;
}
export const reviewViews = ["approved", "held"] as const;

export interface ReviewSearch {
  readonly cursor?: string;
  /** Listings that are approved, or quarantined or recalled; those of which a version waits by default. */
  readonly view?: (typeof reviewViews)[number];
  /** The listing that is looked at, by id. */
  readonly listing?: string;
}

export const installsSearch = (given: Record<string, unknown>): InstallsSearch => ({
  cursor: textOf(given, "cursor"),
  removed: wordOf(given, "removed", ["yes"]),
});
export const installSearch = (given: Record<string, unknown>): InstallSearch => ({
  tab: wordOf(given, "tab", installTabs),
  update: wordOf(given, "update", ["yes"]),
});
export const recallsSearch = (given: Record<string, unknown>): RecallsSearch => ({ cursor: textOf(given, "cursor") });
export const reviewSearch = (given: Record<string, unknown>): ReviewSearch => ({
  cursor: textOf(given, "cursor"),
  view: wordOf(given, "view", reviewViews),
  listing: textOf(given, "listing"),
});
