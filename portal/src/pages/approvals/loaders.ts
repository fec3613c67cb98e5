import { listApprovals, readApproval } from "../../api/approvals.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const views = ["mine", "pending", "everything", "decided", "absences", "rules"] as const;
const risks = ["low", "medium", "high", "critical"] as const;

export interface InboxSearch {
  /** `mine` (the default): what this person may decide now; `pending`: all that waits for a decision; `everything`: all that waits for people; `decided`: what is over; `absences`: who stands in for whom; `rules`: who must approve what. */
  readonly view?: (typeof views)[number];
  readonly risk?: (typeof risks)[number];
  readonly agent?: string;
  readonly cursor?: string;
  /** The task whose approval stands open beside the list. */
  readonly open?: string;
}

export const listSearch = (search: Record<string, unknown>): InboxSearch => ({
  view: wordOf(search, "view", views),
  risk: wordOf(search, "risk", risks),
  agent: textOf(search, "agent"),
  cursor: textOf(search, "cursor"),
  open: textOf(search, "open"),
});

const over = ["approved", "rejected", "changes_requested", "expired", "cancelled", "consumed", "stale"] as const;

/** The decisions that the inbox shows for an address; where it lists something else only their counts are shown. */
export const inboxOf = ({ view = "mine", risk, agent, cursor }: InboxSearch) =>
  view === "everything" || view === "absences" || view === "rules"
    ? listApprovals({ limit: 1 })
    : decisionsOf({ view, risk, agent, cursor });

const decisionsOf = ({ view, risk, agent, cursor }: Omit<InboxSearch, "open">) =>
  listApprovals({
    limit: 25,
    ...(view === "mine" ? { mine: true } : {}),
    ...(view === "decided" ? { status: [...over] } : {}),
    ...(risk ? { risk: [risk] } : {}),
    ...(agent ? { agent: [agent] } : {}),
    ...(cursor ? { cursor } : {}),
  });

export const loadList = ({ queryClient }: LoaderContext, search: InboxSearch) => prefetch(queryClient, inboxOf(search));
export const loadOne = ({ queryClient }: LoaderContext, task: string) => prefetch(queryClient, readApproval(task));
