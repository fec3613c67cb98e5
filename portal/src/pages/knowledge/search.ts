import { textOf, wordOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const states = ["queued", "parsing", "indexing", "indexed", "failed"] as const;
export const baseTabs = ["documents", "search", "gaps", "connectors", "test", "settings"] as const;
export const documentTabs = ["chunks", "versions", "access", "metadata"] as const;

export interface BasesSearch {
  readonly cursor?: string;
}
export interface BaseSearch {
  readonly tab?: (typeof baseTabs)[number];
  /** Documents of one state; all by default. */
  readonly state?: (typeof states)[number];
  /** The document of this external id. */
  readonly external_id?: string;
  /** What is asked, in the tab of the search. */
  readonly q?: string;
  readonly cursor?: string;
  /** The sync that is looked at. */
  readonly sync?: string;
}
export interface DocumentSearch {
  readonly tab?: (typeof documentTabs)[number];
  /** The chunk whose place is marked, by its number. */
  readonly chunk?: string;
}
export interface QuestionSearch {
  readonly q?: string;
  /** Names of bases, with commas. */
  readonly bases?: string;
  /** Whose sight narrows what is found. */
  readonly as?: string;
}

type Given = Record<string, unknown>;
export const basesSearch = (given: Given): BasesSearch => ({ cursor: textOf(given, "cursor") });
export const baseSearch = (given: Given): BaseSearch => ({
  tab: wordOf(given, "tab", baseTabs),
  state: wordOf(given, "state", states),
  external_id: textOf(given, "external_id"),
  q: textOf(given, "q"),
  cursor: textOf(given, "cursor"),
  sync: textOf(given, "sync"),
});
export const documentSearch = (given: Given): DocumentSearch => ({
  tab: wordOf(given, "tab", documentTabs),
  chunk: textOf(given, "chunk"),
});
export const questionSearch = (given: Given): QuestionSearch => ({
  q: textOf(given, "q"),
  bases: textOf(given, "bases"),
  as: textOf(given, "as"),
});
