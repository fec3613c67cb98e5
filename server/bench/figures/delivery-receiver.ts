import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Call } from "./tasks-service.ts";

// What the figures of delivery share: a receiver in the bench's own process, and endpoints that lead to it.

/** What a receiver does with a delivery to a path. */
export type Manner = "take" | "fail" | "hang";

/** Endpoints on this machine: all of them on one port, each with a path of its own. */
export interface Receiver {
  readonly url: string;
  /** When a delivery came, by its path and then its event's task (milliseconds of the monotonic clock). */
  readonly arrivals: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** When an event of a task came to a path, as soon as it has. */
  arrival(path: string, task: string): Promise<number>;
  /** Resolves as soon as so many have come; fails after a minute without one. */
  until(count: number): Promise<void>;
  /** Changes what becomes of deliveries; those that hang are answered. */
  behave(manner: (path: string) => Manner): void;
  forget(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, Map<string, number>>();
  let held: http.ServerResponse[] = [];
  let mannerOf: (path: string) => Manner = () => "take";
  let count = 0;
  const expected = new Map<string, (at: number) => void>();
  let awaited: { count: number; resolve: () => void } | null = null;
  const server = http.createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => {
      const path = request.url as string;
      const at = performance.now();
      const of = arrivals.get(path) ?? new Map<string, number>();
      arrivals.set(path, of);
      const { task_id } = JSON.parse(text) as { task_id: string };
      if (!of.has(task_id)) of.set(task_id, at);
      expected.get(`${path} ${task_id}`)?.(at);
      const manner = mannerOf(path);
      if (manner === "take") count++;
      if (manner === "hang") held.push(response);
      else response.writeHead(manner === "take" ? 204 : 500).end();
      if (awaited && count >= awaited.count) awaited.resolve();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", 4_096);
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    arrival: (path, task) =>
      new Promise((resolve) => {
        const at = arrivals.get(path)?.get(task);
        if (at !== undefined) resolve(at);
        else expected.set(`${path} ${task}`, resolve);
      }),
    async until(wanted) {
      while (count < wanted) {
        const before = count;
        const { promise, resolve } = Promise.withResolvers<void>();
        const patience = setTimeout(resolve, 60_000);
        awaited = { count: wanted, resolve };
        await promise;
        clearTimeout(patience);
        awaited = null;
        if (count === before) throw new Error(`${count} of ${wanted} deliveries came, and none for a minute`);
      }
    },
    behave(manner) {
      mannerOf = manner;
      const answered = held;
      held = [];
      for (const response of answered) response.writeHead(204).end();
    },
    forget() {
      arrivals.clear();
      count = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Subscribes paths of a receiver to the beginnings of tasks; answers the endpoints' ids. */
export async function subscribe(call: Call, receiver: Receiver, paths: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths) {
    const made = await call<{ webhook_id: string }>("POST", "/v1/webhooks", {
      url: receiver.url + path,
      events: ["task.created"],
    });
    ids.push(made.webhook_id);
  }
  return ids;
}

/** Has one event happen: a task of the sample that waits for people, so that nothing else is done for it. Answers it, and when its call was answered, right after its commit. */
export async function happen(call: Call): Promise<{ task: string; answered: number }> {
  const body = { task: "qualify_lead", lead_id: "ld_1001", require_approval: true };
  const { task_id } = await call<{ task_id: string }>("POST", "/v1/agents/sales/tasks", body);
  return { task: task_id, answered: performance.now() };
}
