import { listApprovals } from "../api/approvals.ts";
import { listWaiting } from "../api/chat-waiting.ts";
import { useLive } from "../api/queries.ts";
import { useRights } from "../api/rights.ts";
import { listAsking } from "../api/tasks.ts";
import type { Room } from "./rooms.ts";

/**
 * How much waits for people, by room: approvals, of all that the session may see; tasks that ask something, of the newest twenty, and conversations that wait for
 * a person, where it may answer. Asked every 10 s while the page is seen.
 */
export function useWaiting(): Readonly<Partial<Record<Room["to"], number>>> {
  const may = useRights();
  const approvals = useLive(listApprovals({ limit: 1 }), { every: 10_000, when: may("approvals:read") });
  const asking = useLive(listAsking(), { every: 10_000, when: may("tasks:read") && may("tasks:write") });
  const chats = useLive(listWaiting(), { every: 10_000, when: may("chat:answer") });
  return {
    "/approvals": approvals.data?.counts.total ?? 0,
    "/tasks": asking.data?.data.length ?? 0,
    "/conversations": chats.data?.data.length ?? 0,
  };
}
