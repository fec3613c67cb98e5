import { readFile } from "node:fs/promises";
import { CommandError, type Terminal } from "./terminal.ts";

const standardUrl = "http://127.0.0.1:4000";
const patience = 60_000;

/** What the service answered. */
export interface Reply {
  readonly status: number;
  readonly etag: string | null;
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown;
}

export interface Sending {
  readonly json?: unknown;
  /** A body of the type application/yaml. */
  readonly yaml?: string;
  readonly ifMatch?: string;
}

/** The service as commands see it: the interface over HTTP and nothing else. */
export interface Service {
  call(method: string, path: string, sending?: Sending): Promise<Reply>;
}

/**
 * The service at `AOS_URL` (default http://127.0.0.1:4000) with the key in `AOS_KEY`, or in `keyFile`. The key goes into the Authorization header and
 * nowhere else: no message has it, and redirections, which could carry it to another host, are not followed. Throws a CommandError.
 */
export async function connect(env: Terminal["env"], keyFile?: string): Promise<Service> {
  const key = await keyOf(env, keyFile);
  const base = baseOf(env.AOS_URL ?? standardUrl);
  return {
    async call(method, path, { json, yaml, ifMatch } = {}) {
      const type = yaml !== undefined ? "application/yaml" : json !== undefined ? "application/json" : undefined;
      const headers = {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(type ? { "content-type": type } : {}),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      };
      const body = yaml ?? (json === undefined ? null : JSON.stringify(json));
      const response = await reach(base, () =>
        fetch(base + path, { method, headers, body, redirect: "manual", signal: AbortSignal.timeout(patience) }),
      );
      const text = await reach(base, () => response.text());
      return { status: response.status, etag: response.headers.get("etag"), body: jsonOf(text) };
    },
  };
}

async function keyOf(env: Terminal["env"], keyFile: string | undefined): Promise<string> {
  const key = keyFile === undefined ? env.AOS_KEY?.trim() : await keyIn(keyFile);
  if (!key) throw new CommandError("There is no key: set AOS_KEY, or name a file that holds one with --key-file.");
  if (!/^[!-~]+$/.test(key))
    throw new CommandError("The key has characters that no key has; check that the whole key and nothing else was given.");
  return key;
}

async function keyIn(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new CommandError(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== "" || parsed.search !== "" || parsed.hash !== "") {
    throw new CommandError("AOS_URL must be the address of the service, such as http://127.0.0.1:4000.");
  }
  return parsed.href.replace(/\/+$/, "");
}

async function reach<T>(base: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new CommandError(`The service at ${base} has not answered within ${patience / 1000} seconds.`);
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const hint =
      code === "ECONNREFUSED" ? "nothing listens there; start the service with aos start, or set AOS_URL" : (code ?? "no connection");
    throw new CommandError(`The service at ${base} cannot be reached: ${hint}.`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
