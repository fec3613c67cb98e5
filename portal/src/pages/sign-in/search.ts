import { textOf } from "../../lib/search.ts";

/** `next`: where to go then, an address of the portal; `ended`: the session was lost on the way; `failed`: why the provider's sign-in came to nothing. */
export function signInSearch(search: Record<string, unknown>): { next?: string; ended?: string; failed?: string } {
  const next = textOf(search, "next");
  const ended = textOf(search, "ended");
  const failed = textOf(search, "failed");
  // Only the portal's own pages: `//host` and `/\host` lead elsewhere.
  return { next: next && /^\/(?![/\\])/.test(next) ? next : undefined, ended, failed };
}
