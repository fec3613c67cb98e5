import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterAll } from "vitest";
import { createOutbound } from "./index.ts";
import type { Outbound, OutboundOptions } from "./types.ts";

export interface TestServer {
  readonly port: number;
  /** How many connections it was asked for, whatever became of them. */
  connections: number;
  /** What it was asked, as `GET /path`. */
  readonly asked: string[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
}

/** A server on this machine. It answers `{"here":true}` until `answer` is set; `host` is where it listens. */
export async function startServer(
  host = "127.0.0.1",
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestServer> {
  const listener: RequestListener = (request, response) => {
    server.asked.push(`${request.method} ${request.url}`);
    server.answer(request, response);
  };
  const http = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  (http as Server).on("connection", () => {
    server.connections += 1;
  });
  await new Promise<void>((done, failed) => (http as Server).once("error", failed).listen(0, host, done));
  const server: TestServer = {
    port: (http.address() as AddressInfo).port,
    connections: 0,
    asked: [],
    answer: json({ here: true }),
    close: () =>
      new Promise((done) => {
        http.close(() => done());
        http.closeAllConnections();
      }),
  };
  afterAll(server.close);
  return server;
}

/** An answer of this JSON. */
export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): TestServer["answer"] {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
}

/** The whole body of a request, as text. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A way out that is closed after the tests. */
export function useOutbound(options: OutboundOptions): Outbound {
  const outbound = createOutbound(options);
  afterAll(outbound.close);
  return outbound;
}
