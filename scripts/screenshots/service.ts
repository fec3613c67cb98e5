import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A service that lives as long as the pictures are taken. */
export interface Service {
  readonly url: string;
  /** The secret of an admin key of `development`. */
  readonly key: string;
  /** A receiver of webhooks beside it: `/good` takes all, `/bad` none. */
  readonly receiver: string;
  /** Calls the interface; throws where it does not succeed. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, key?: string): Promise<T>;
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "aos-screenshots-"));
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === "/good" ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const port = await freePort();
  const env = { ...process.env, AOS_DATA_DIR: dataDir, AOS_PORT: String(port), AOS_RATE_LIMIT: "off" };
  const child = spawn(process.execPath, [command, "start"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, ended);
    const key = (await readFile(path.join(dataDir, "admin.key"), "utf8")).trim();
    return {
      url,
      key,
      receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      call: caller(url, key),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Calls a service; an object goes as JSON, a form as it is. */
export const caller =
  (url: string, admin: string): Service["call"] =>
  async <T>(method: string, where: string, body?: unknown, key = admin) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(url + where, {
      method,
      ...(body === undefined || body instanceof FormData
        ? { headers }
        : { headers: { ...headers, "content-type": "application/json" } }),
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${where} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url: string, ended: Promise<void>): Promise<void> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  for (;;) {
    if (gone) throw new Error("the service ended before it was ready");
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await setTimeout(200);
  }
}
