import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { membersOf } from "./json.ts";
import { CommandError, type Terminal } from "./terminal.ts";

export interface Entry {
  readonly profile: string;
  /** The address of the service, without a slash at its end. */
  readonly url: string;
  /** The secret key; null where only the webhook secret is kept. */
  readonly key: string | null;
  /** Signs the events that `aos webhooks listen` forwards: `whsec_…`. */
  readonly webhook_secret: string | null;
}

/** The newest entry of a profile comes first: its address is the profile's. */
interface Stored {
  readonly version: 1;
  readonly entries: readonly Entry[];
}

type Env = Terminal["env"];

/** The folder of the user's settings: `$XDG_CONFIG_HOME/aos`, else `~/.config/aos`. */
export function configFolder(env: Env): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), ".config"), "aos");
}

/** Where keys are kept, readable by the user alone. */
export const credentialsFile = (env: Env): string => path.join(configFolder(env), "credentials.json");

/** The profile of a call: `--profile`, else `AOS_PROFILE`, else `default`. */
export function profileName(env: Env, given?: string): string {
  const name = given ?? (env.AOS_PROFILE || "default");
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new CommandError(`Invalid profile name ${JSON.stringify(name)}: use letters, digits, "-", "_" and "." only.`);
  return name;
}

/** All entries; none where nothing was ever kept. Throws a CommandError where the file is not what was written. */
export async function readEntries(env: Env): Promise<readonly Entry[]> {
  const file = credentialsFile(env);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new CommandError(`${file} cannot be read (${code}).`);
  }
  try {
    const { version, entries } = membersOf(text);
    if (version === 1 && Array.isArray(entries)) return entries;
  } catch {
    // reported below
  }
  throw new CommandError(`${file} is not in the format that aos writes. Remove it, then sign in again with aos login.`);
}

/** The entry of a profile: at `url`, or where none is given its newest. */
export async function findEntry(env: Env, profile: string, url?: string): Promise<Entry | undefined> {
  const entries = await readEntries(env);
  return entries.find((entry) => entry.profile === profile && (url === undefined || entry.url === url));
}

export async function keepEntry(env: Env, entry: Entry): Promise<void> {
  const others = (await readEntries(env)).filter(({ profile, url }) => profile !== entry.profile || url !== entry.url);
  await write(env, [entry, ...others]);
}

/** Keeps the webhook secret, so that it is the same after the next sign-in. Returns whether there was a key. */
export async function forgetKey(env: Env, profile: string, url: string): Promise<boolean> {
  const entries = await readEntries(env);
  const found = entries.find((entry) => entry.profile === profile && entry.url === url && entry.key !== null);
  if (found === undefined) return false;
  await write(
    env,
    entries.flatMap((entry) =>
      entry !== found ? [entry] : entry.webhook_secret === null ? [] : [{ ...entry, key: null }],
    ),
  );
  return true;
}

/** The file is written beside and moved into place: readers see the old or the new one, and it is never readable by others. */
async function write(env: Env, entries: readonly Entry[]): Promise<void> {
  const file = credentialsFile(env);
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, `${JSON.stringify({ version: 1, entries } satisfies Stored, null, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
    });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw new CommandError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Keys are saved there.`,
    );
  }
}
