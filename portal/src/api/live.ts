import { createClient } from "@aos/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { noteConnection } from "./connection.ts";

// What happens, as it happens: one stream of the environment's events for all that is shown. It says what has changed; what it is now is read as ever.

/** Reads that an event of a group makes stale, by the beginning of their paths. */
const concerns: Readonly<Record<string, readonly string[]>> = {
  task: ["/v1/tasks", "/v1/approvals"],
  approval: ["/v1/approvals", "/v1/tasks"],
  delegation: ["/v1/approvals"],
  approval_rule: ["/v1/approvals"],
  policy: ["/v1/governance/policies", "/v1/governance/violations"],
  kill_switch: ["/v1/governance/kill-switch", "/v1/agents"],
  budget: ["/v1/governance/budgets"],
  deployment: ["/v1/agents"],
  agent: ["/v1/agents"],
  evaluation: ["/v1/agents", "/v1/evaluations"],
  key: ["/v1/admin/keys"],
  knowledge: ["/v1/knowledge"],
  webhook: ["/v1/webhooks"],
  audit: ["/v1/audit/sinks"],
  ping: ["/v1/webhooks"],
  workflow: ["/v1/workflows"],
  mission: ["/v1/missions"],
  chat: ["/v1/chat/conversations"],
  listing: ["/v1/marketplace"],
  install: ["/v1/marketplace"],
};

/** Reads of many pages that an event of any task or run would begin again before they end: their pages hear their own one, and ask for these themselves. */
const ownStream: readonly string[] = [
  "/v1/tasks/{task}/steps",
  "/v1/tasks/{task}/events",
  "/v1/workflows/{workflow}/runs/{run}",
  "/v1/chat/conversations/{conversation}",
];

let streaming = false;

/** How much longer than without a stream one waits before asking again: what the stream misses is what nobody tells. */
const patience = 10;

/** The pause before something is asked again, in ms. */
export const paced = (every: number | false): number | false =>
  every === false ? false : streaming ? every * patience : every;

/** Keeps what is shown in step with the service, while the page is seen: a browser has few connections, and a page that nobody sees needs none. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let following: AbortController | null = null;
    const turn = (): void => {
      following?.abort();
      following = document.hidden ? null : new AbortController();
      // Without the stream all is asked for more often again, from now on and not only once a long pause is over.
      if (following) void follow(renewer(queryClient), () => void queryClient.invalidateQueries(), following.signal);
      else streaming = false;
    };
    turn();
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      following?.abort();
      streaming = false;
    };
  }, [queryClient]);
}

/** Collects for a moment what events touch, and has it read again: a hundred events at once are one reading. */
export function renewer(queryClient: QueryClient): (type: string) => void {
  const touched = new Set<string>();
  let waits = false;
  const renew = (): void => {
    waits = false;
    const starts = [...touched];
    touched.clear();
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        typeof path === "string" && !ownStream.includes(path) && starts.some((start) => path.startsWith(start)),
    });
  };
  return (type) => {
    for (const start of concerns[type.split(".")[0] as string] ?? []) touched.add(start);
    if (waits) return;
    waits = true;
    setTimeout(renew, 150);
  };
}

/** Pauses before the stream is opened again, in ms: where it broke, and where this person may not follow it. */
const pauses = { broken: 3_000, refused: 60_000 };

/** Follows until the signal ends it, over as many connections as it takes. Who may not follow goes on asking in turns. */
async function follow(onEvent: (type: string) => void, onLost: () => void, signal: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: location.origin, fetch: (request) => opened(request, signal) });
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    let pause = pauses.broken;
    try {
      for await (const { type, id } of client.webhooks.streamEvents.stream({}, { signal, retries: 0, lastEventId })) {
        lastEventId = id;
        onEvent(type);
      }
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      if (status >= 400 && status < 500) pause = pauses.refused;
    }
    if (!signal.aborted && streaming) {
      streaming = false;
      onLost();
    }
    await passed(pause, signal);
  }
}

/** Opens a connection, and notes whether there is one. */
async function opened(request: Request | URL | string, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(request, { cache: "no-store" });
    streaming = response.ok;
    noteConnection(true);
    return response;
  } catch (error) {
    if (!signal.aborted) {
      streaming = false;
      noteConnection(false);
    }
    throw error;
  }
}

const passed = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
