import { listApprovals } from "../api/approvals.ts";
import { useLive } from "../api/queries.ts";

/** How many approvals wait, of all that the session may see. Asked every 10 s while the page is seen. */
export function useWaiting(): number {
  const { data } = useLive(listApprovals({ limit: 1 }), { every: 10_000 });
  return data?.counts.total ?? 0;
}
