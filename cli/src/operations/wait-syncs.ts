import type { Reply, Service } from "../http.ts";
import { problemOf } from "../problems.ts";
import type { Terminal } from "../terminal.ts";
import type { Request } from "./request.ts";
import { exitOfEnd, waitFor } from "./wait.ts";

interface StartedSync {
  readonly base_id: string;
  readonly sync_id: string;
}

/** The syncs that a call started, where there are several; null: one, or something else. */
export function severalSyncs(body: unknown): readonly StartedSync[] | null {
  const { syncs } = (typeof body === "object" && body !== null ? body : {}) as { syncs?: unknown };
  return Array.isArray(syncs) && syncs.length > 1 ? (syncs as StartedSync[]) : null;
}

/** Waits for one after the other. The last reply has all of them as they ended; the exit status is the worst. */
export async function waitForSyncs(
  from: { readonly service: Service; readonly terminal: Terminal },
  { query: _query, sending: _sending, ...request }: Request,
  started: readonly StartedSync[],
): Promise<{ last: Reply; exit: number }> {
  const ended: unknown[] = [];
  let exit = 0;
  let last: Reply | undefined;
  for (const { base_id, sync_id } of started) {
    const path = `/v1/knowledge/bases/${base_id}/syncs/${sync_id}`;
    const reading: Request = { ...request, method: "GET", path, query: new URLSearchParams(), sending: {} };
    last = await waitFor(from, reading, await from.service.call("GET", path));
    if (problemOf(last) !== null) return { last, exit: 1 };
    ended.push(last.body);
    exit = Math.max(exit, exitOfEnd("knowledge.startSync", last));
  }
  return { last: { ...(last as Reply), body: { syncs: ended } }, exit };
}
