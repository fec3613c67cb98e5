import { listKeys } from "../../api/admin.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const states = ["active", "expired", "revoked"] as const;

export interface KeysSearch {
  /** Those that work are shown by default. */
  readonly state?: (typeof states)[number];
  readonly cursor?: string;
}

export const listSearch = (search: Record<string, unknown>): KeysSearch => ({
  state: wordOf(search, "state", states),
  cursor: textOf(search, "cursor"),
});

/** What the room shows for an address. */
export const keysOf = ({ state = "active", cursor }: KeysSearch) =>
  listKeys({ limit: 25, state: [state], ...(cursor ? { cursor } : {}) });

export const loadList = ({ queryClient }: LoaderContext, search: KeysSearch) => prefetch(queryClient, keysOf(search));
