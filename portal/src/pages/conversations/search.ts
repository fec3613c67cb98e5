import { textOf, wordOf } from "../../lib/search.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const views = ["open", "people", "closed", "all"] as const;
export type View = (typeof views)[number];

export const handovers = ["any", "taken", "answered", "waiting", "breached"] as const;

export interface ListSearch {
  /** Open ones by default; `people`: those that a person answers. */
  readonly view?: View;
  readonly agent?: string;
  readonly user?: string;
  readonly channel?: string;
  readonly label?: string;
  /** Handed to this team. */
  readonly team?: string;
  /** Handed to people, and what became of it; the others narrow this. */
  readonly handover?: (typeof handovers)[number];
  readonly handover_team?: string;
  readonly handover_after?: string;
  readonly handover_before?: string;
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
  handover: wordOf(given, "handover", handovers),
  handover_team: textOf(given, "handover_team"),
  handover_after: textOf(given, "handover_after"),
  handover_before: textOf(given, "handover_before"),
  cursor: textOf(given, "cursor"),
});
export const findSearch = (given: Given): FindSearch => ({
  q: textOf(given, "q"),
  agent: textOf(given, "agent"),
  user: textOf(given, "user"),
});
