import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { NosniffResponse, nosniffLine } from "../http/nosniff.ts";
import type { MetricsAnswer } from "./metrics-endpoint.ts";

export interface MetricsServer {
  /** Where it listens. */
  readonly port: number;
  stop(): Promise<void>;
}

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Answers who asks for metrics, by their `Authorization`. */
  readonly metrics: (authorization: string | undefined) => Promise<MetricsAnswer>;
  /** Whether this process can do its work. */
  readonly ready: () => boolean;
}

/** Metrics and `/healthz` and `/readyz` at a port of their own: the network keeps others from it, and processes of role `worker` have no other port. */
export async function createMetricsServer({
  host,
  port,
  metrics,
  ready,
}: MetricsServerOptions): Promise<MetricsServer> {
  const pages = new Map<string, (authorization: string | undefined) => MetricsAnswer | Promise<MetricsAnswer>>([
    ["/metrics", metrics],
    ["/healthz", () => stateOf(200, "ok")],
    ["/readyz", () => (ready() ? stateOf(200, "ready") : stateOf(503, "not ready"))],
  ]);
  const { createServer } = await import("node:http");
  const server = createServer(
    { requestTimeout: 10_000, maxHeaderSize: 16 * 1024, ServerResponse: NosniffResponse },
    async ({ url, method, headers: { authorization } }, response) => {
      const page = pages.get(url?.split("?")[0] ?? "");
      if (!page) return void response.writeHead(404).end();
      if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
      try {
        const { status, headers, body } = await page(authorization);
        response.writeHead(status, headers).end(body); // Node leaves out the body of HEAD
      } catch {
        response.writeHead(500).end();
      }
    },
  );
  server.on("clientError", refuseUnparsed);
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What is not HTTP, or has headers over the limit. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n${nosniffLine}Connection: close\r\n\r\n`);
}

const stateOf = (status: number, state: string): MetricsAnswer => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  body: JSON.stringify({ status: state }),
});
