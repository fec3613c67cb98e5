import { textOf } from "../../lib/search.ts";

// What the addresses of installs, recalls and review carry.

export interface InstallsSearch {
  readonly cursor?: string;
}
export type InstallSearch = Record<string, never>;
export type RecallsSearch = InstallsSearch;
export type ReviewSearch = InstallsSearch;

export const installsSearch = (given: Record<string, unknown>): InstallsSearch => ({ cursor: textOf(given, "cursor") });
export const installSearch = (_given: Record<string, unknown>): InstallSearch => ({});
export const recallsSearch = (given: Record<string, unknown>): RecallsSearch => ({ cursor: textOf(given, "cursor") });
export const reviewSearch = (given: Record<string, unknown>): ReviewSearch => ({ cursor: textOf(given, "cursor") });
