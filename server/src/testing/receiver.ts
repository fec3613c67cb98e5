import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a receiver of webhooks got, its body byte for byte. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it was there, by the machine's monotonic clock (milliseconds). */
  readonly at: number;
}

/** What a receiver answers; null: nothing, and the connection stays open. */
export type Reply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
} | null;

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Connections that were opened so far. */
  connections(): number;
  /** Requests to this path. */
  at(path: string): Received[];
  /** Waits until a path has got so many requests. */
  until(path: string, count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a receiver; it answers 204 unless `reply` says otherwise. */
export async function startReceiver(
  reply: (request: Received) => Reply | Promise<Reply> = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let connections = 0;
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", async () => {
      const one = {
        path: request.url as string,
        method: request.method as string,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(pieces).toString("utf8"),
        at: performance.now(),
      };
      received.push(one);
      for (const look of waiting) look();
      const answer = await reply(one);
      if (answer) response.writeHead(answer.status ?? 204, answer.headers).end(answer.body);
    });
  });
  server.on("connection", () => connections++);
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = (path: string): Received[] => received.filter((one) => one.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    at,
    until: (path, count) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${path} got ${at(path).length} of ${count} requests in 30 s`)),
          30_000,
        );
        const look = (): void => {
          if (at(path).length < count) return;
          clearTimeout(late);
          waiting.delete(look);
          resolve(at(path));
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
