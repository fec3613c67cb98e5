import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it came. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What the server does with one request. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

/** A server on loopback that does with each request what the script says, the last of it again and again; and what it received. */
export async function loopback(
  ...script: readonly Behaviour[]
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { method: request.method as string, url: request.url as string, headers: request.headers, body };
    received.push(one);
    const behave = script[Math.min(received.length, script.length) - 1] as Behaviour;
    behave(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Answers JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response
      .writeHead(status, { "content-type": status < 400 ? "application/json" : "application/problem+json", ...headers })
      .end(JSON.stringify(body));
  };

/** Answers a problem. */
export const problem = (
  status: number,
  code: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Behaviour =>
  json(
    { type: "about:blank", title: code, status, code, detail: `it is ${code}`, retryable: false, ...more },
    status,
    headers,
  );

/** Breaks the connection off without a word. */
export const breakOff: Behaviour = (response) => void response.destroy();

/** Answers never. */
export const silence: Behaviour = () => undefined;

/** Begins an answer of JSON and breaks off in the middle of it. */
export const breakInTheMiddle: Behaviour = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"task_id":', () => response.destroy());
};

/** A way to the service that can be cut: all connections over it break, and new ones are taken. */
export async function cuttable(target: string): Promise<{ readonly url: string; cut(): void }> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createTcpServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}
