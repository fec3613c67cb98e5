import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { MetricsAnswer } from "./metrics-door.ts";

export interface MetricsServer {
  /** Where it listens. */
  readonly port: number;
  stop(): Promise<void>;
}

/** A port for metrics alone: what keeps the API's callers from them is then the network, and processes of role `worker` have them too. */
export async function createMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  answer: (authorization: string | undefined) => Promise<MetricsAnswer>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16 * 1024 }, (request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD") return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
    answer(request.headers.authorization).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body),
      () => response.writeHead(500).end(),
    );
  });
  await listening(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
