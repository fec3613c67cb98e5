import { listApprovals } from "../../api/approvals.ts";
import { listKillSwitches } from "../../api/governance.ts";
import { prefetch } from "../../api/queries.ts";
import { listAsking, listTasks } from "../../api/tasks.ts";
import { wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export interface HomeSearch {
  /** Window of the figures. */
  readonly range?: "24h" | "7d" | "30d";
}
export const homeSearch = (search: Record<string, unknown>): HomeSearch => ({
  range: wordOf(search, "range", ["24h", "7d", "30d"] as const),
});

export const needsMe = () => listApprovals({ mine: true, limit: 5 });
export const asks = listAsking;
export const runs = () => listTasks({ status: ["running", "queued"], limit: 8 });
export const wentWrong = () => listTasks({ status: ["failed", "blocked", "expired"], limit: 5 });
export const lately = () => listTasks({ status: ["completed"], limit: 6 });

/** Kill switches that are engaged. */
export const stops = () => listKillSwitches({ state: ["engaged", "release_requested"], limit: 5 });

export const load = ({ queryClient }: LoaderContext) =>
  Promise.all([
    prefetch(queryClient, needsMe(), asks(), runs(), wentWrong(), lately()),
    // Before the page says that all is quiet. Who may not read them sees the page without.
    queryClient.prefetchQuery(stops()),
  ]);
