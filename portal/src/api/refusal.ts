import { type QueryCache, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { asProblem } from "./problem.ts";

/** That something shown could not be read again. */
export interface Refusal {
  /** When what is shown was read, as a time of the interface; the oldest of all that could not be read again. */
  readonly since: string;
  /** In the service's own words. */
  readonly detail: string;
  /** Whether it fails for a reason of the service's own, so that it may work again by itself. */
  readonly passing: boolean;
}

/** What is shown though the service refused to read it again; null where all is as the service said last. A lost connection and an ended session are shown elsewhere. */
export function useRefusal(): Refusal | null {
  const cache = useQueryClient().getQueryCache();
  const watch = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  // As text, which stays the same while nothing changes.
  const said = useSyncExternalStore(watch, () => JSON.stringify(refusalIn(cache)));
  return JSON.parse(said) as Refusal | null;
}

function refusalIn(cache: QueryCache): Refusal | null {
  const refused = cache
    .findAll({ type: "active", predicate: ({ state }) => state.status === "error" && state.data !== undefined })
    .map(({ state }) => ({ at: state.dataUpdatedAt, problem: asProblem(state.error) }))
    .filter(({ problem }) => problem.code !== "unreachable" && problem.status !== 401)
    .sort((a, b) => a.at - b.at);
  const [oldest] = refused;
  if (oldest === undefined) return null;
  return {
    since: new Date(oldest.at).toISOString(),
    detail: oldest.problem.detail,
    passing: refused.some(({ problem }) => problem.status >= 500),
  };
}
