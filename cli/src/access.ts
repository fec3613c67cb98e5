import { readFile } from "node:fs/promises";
import path from "node:path";
import { findEntry, profileName } from "./credentials.ts";
import { membersOf } from "./json.ts";
import { CommandError, NotSignedIn, type Terminal } from "./terminal.ts";

export type KeySource = "AOS_KEY" | "key file" | "profile" | "host";

export interface Access {
  readonly url: string;
  readonly profile: string;
  /** Null where there is none: only what needs no key can be called. */
  readonly key: string | null;
  readonly source: KeySource | null;
  /** The file that the key was read from, where it was one. */
  readonly file: string | null;
}

export interface AccessOptions {
  readonly profile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/**
 * Finds service and key. The address: AOS_URL, else the profile's, else this machine's. The key: `--key-file`, else the one kept for `--profile`, else AOS_KEY,
 * else the one kept for AOS_PROFILE or `default` and address, else the admin key that the service left in its data folder, for a service on this machine only. Throws a CommandError.
 */
export async function findAccess(env: Terminal["env"], options: AccessOptions = {}): Promise<Access> {
  const profile = profileName(env, options.profile);
  const given = env.AOS_URL ? addressOf(env.AOS_URL, "AOS_URL") : undefined;
  const kept = await findEntry(env, profile, given);
  const url = given ?? kept?.url ?? (await standardUrl(env));
  if (options.keyFile !== undefined)
    return { url, profile, key: sound(await keyIn(options.keyFile)), source: "key file", file: options.keyFile };
  if (options.profile !== undefined && kept?.key) return { url, profile, key: kept.key, source: "profile", file: null };
  const named = env.AOS_KEY?.trim();
  if (named) return { url, profile, key: sound(named), source: "AOS_KEY", file: null };
  if (kept?.key) return { url, profile, key: kept.key, source: "profile", file: null };
  const file = path.join(dataFolder(env), "admin.key");
  const admin =
    options.profile === undefined && isLoopback(url) ? await readFile(file, "utf8").catch(() => null) : null;
  return admin === null
    ? { url, profile, key: null, source: null, file: null }
    : { url, profile, key: sound(admin.trim()), source: "host", file };
}

/** The service on this machine: at the port of AOS_PORT, else where the running service of the data folder listens, else at port 4000. */
export async function standardUrl(env: Terminal["env"]): Promise<string> {
  if (/^\d{1,5}$/.test(env.AOS_PORT ?? "")) return `http://127.0.0.1:${env.AOS_PORT}`;
  return (await runningUrl(env)) ?? "http://127.0.0.1:4000";
}

async function runningUrl(env: Terminal["env"]): Promise<string | undefined> {
  try {
    const { pid, url } = membersOf(await readFile(path.join(dataFolder(env), "service.json"), "utf8"));
    if (typeof pid !== "number" || typeof url !== "string") return undefined;
    process.kill(pid, 0); // throws where there is no such process
    return isLoopback(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

const dataFolder = (env: Terminal["env"]): string => env.AOS_DATA_DIR || ".aos";

/** An address of a service as it is kept and compared: no slash at its end. Throws a CommandError that names where it was given. */
export function addressOf(url: string, name: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    !parsed ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== "" ||
    parsed.search !== "" ||
    parsed.hash !== ""
  ) {
    throw new CommandError(`${name} must be the service's address, such as http://127.0.0.1:4000.`);
  }
  return parsed.href.replace(/\/+$/, "");
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** A key as it was given. Throws where it cannot be one. */
export function sound(key: string): string {
  if (key === "") throw new NotSignedIn("The key is empty.");
  if (!/^[!-~]+$/.test(key))
    throw new NotSignedIn("The key contains invalid characters. Copy the whole key and nothing else.");
  return key;
}

export function signInHint({ url, profile }: Access): string {
  const name = profile === "default" ? "" : ` --profile ${profile}`;
  return `You are not signed in to ${url}. Sign in with aos login${name}, or set AOS_KEY.`;
}

async function keyIn(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new NotSignedIn(`The key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
