import { Agent, request } from "node:http";

export interface Sent {
  readonly operation: string;
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Null where the answer is a stream: its head is all that is looked at. */
  readonly text: string | null;
}

/** Sends requests as they are, over a few connections that stay open. */
export function createSender(url: string): { send(sent: Sent): Promise<Received>; close(): void } {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send = ({ method, target, headers, body }: Sent): Promise<Received> =>
    new Promise((resolve, reject) => {
      const going = request({ agent, hostname, port, method, path: target, headers: { ...headers } }, (response) => {
        const answer = { status: response.statusCode as number, headers: response.headers };
        if (isStream(response.headers)) {
          resolve({ ...answer, text: null });
          return void response.destroy();
        }
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => resolve({ ...answer, text: Buffer.concat(pieces).toString("utf8") }));
      });
      going.on("error", (error) => reject(new Error(`${method} ${target.slice(0, 200)}: ${error.message}`)));
      going.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/** What has no length is sent piece by piece. */
const isStream = (headers: Received["headers"]): boolean =>
  headers["content-length"] === undefined && headers["transfer-encoding"] !== undefined;
