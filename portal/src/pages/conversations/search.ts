import { textOf, wordOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const views = ["open", "people", "closed", "all"] as const;
export type View = (typeof views)[number];

export interface ListSearch {
  /** Open ones by default; `people`: those that a person answers. */
  readonly view?: View;
  readonly agent?: string;
  readonly user?: string;
  readonly channel?: string;
  readonly label?: string;
  /** Handed to this team. */
  readonly team?: string;
  readonly cursor?: string;
}
export interface FindSearch {
  readonly q?: string;
  readonly agent?: string;
  readonly user?: string;
}

type Given = Record<string, unknown>;
export const listSearch = (given: Given): ListSearch => ({
  view: wordOf(given, "view", views),
  agent: textOf(given, "agent"),
  user: textOf(given, "user"),
  channel: textOf(given, "channel"),
  label: textOf(given, "label"),
  team: textOf(given, "team"),
  cursor: textOf(given, "cursor"),
});
export const findSearch = (given: Given): FindSearch => ({
  q: textOf(given, "q"),
  agent: textOf(given, "agent"),
  user: textOf(given, "user"),
});
