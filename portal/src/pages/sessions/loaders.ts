import { listSessions } from "../../api/admin.ts";
import { ownPasskeys, signInMethods } from "../../api/passkeys.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export interface SessionsSearch {
  readonly cursor?: string;
}

export const listSearch = (search: Record<string, unknown>): SessionsSearch => ({ cursor: textOf(search, "cursor") });
export const sessionsOf = ({ cursor }: SessionsSearch) => listSessions({ limit: 25, ...(cursor ? { cursor } : {}) });

export const load = ({ queryClient }: LoaderContext, search: SessionsSearch) =>
  prefetch(queryClient, sessionsOf(search), ownPasskeys, signInMethods);
