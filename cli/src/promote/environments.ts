import { readFile } from "node:fs/promises";
import { type Access, isLoopback, sound } from "../access.ts";
import type { Whoami } from "../commands/whoami.ts";
import { findEntry } from "../credentials.ts";
import { type Service, serviceOf } from "../http.ts";
import { CommandError, NotSignedIn, type Terminal } from "../terminal.ts";
import { ask, type Side } from "./promotion.ts";

/** What every promotion does in the target. */
const needed = ["agents:read", "agents:deploy", "evaluations:read", "knowledge:read"];

export async function sideOf(service: Service): Promise<Side> {
  const unknown = { environment: "", permissions: [], service };
  const { environment, permissions } = await ask<Whoami>(unknown, "GET", "/v1/admin/whoami");
  return { environment, permissions, service };
}

export interface TargetKey {
  readonly to: string;
  readonly profile: string | undefined;
  readonly keyFile: string | undefined;
}

/** The target, by the key file, else by the saved key of the profile (default: the name of the environment). Throws a CommandError that says what to type. */
export async function findTarget(
  source: Side,
  { to, profile = to, keyFile }: TargetKey,
  terminal: Terminal,
): Promise<Side> {
  const { url } = source.service.access;
  const access =
    keyFile === undefined
      ? await keptAccess(source, { to, profile }, terminal)
      : await fileAccess(url, profile, keyFile);
  const target = await sideOf(serviceOf(access));
  const from = keyFile ?? `the profile ${profile}`;
  if (target.environment !== to)
    throw new CommandError(
      `The key of ${from} is for ${target.environment}, not for ${to}.\n${howToGetOne(url, to, profile)}`,
    );
  const lacking = needed.filter((permission) => !target.permissions.includes(permission));
  if (lacking.length > 0)
    throw new CommandError(
      `The key of ${from} lacks ${lacking.join(", ")} in ${to}.\n${howToGetOne(url, to, profile)}`,
    );
  return target;
}

async function keptAccess(
  source: Side,
  { to, profile }: { to: string; profile: string },
  { env }: Terminal,
): Promise<Access> {
  const { url } = source.service.access;
  const kept = (await findEntry(env, profile, url)) ?? (await findEntry(env, profile));
  if (!kept?.key)
    throw new NotSignedIn(`No key for ${to}: the profile ${profile} has none.\n${howToGetOne(url, to, profile)}`);
  return { url: kept.url, profile, key: kept.key, source: "profile", file: null };
}

async function fileAccess(url: string, profile: string, file: string): Promise<Access> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new NotSignedIn(`The key file ${file} cannot be read (${error.code}).`);
  });
  return { url, profile, key: sound(text.trim()), source: "key file", file };
}

function howToGetOne(url: string, environment: string, profile: string): string {
  const login = `aos login --profile ${profile} --url ${url}`;
  const host = `  aos keys create --environment ${environment} --role admin | ${login} --key -`;
  return [
    ...(isLoopback(url) ? ["On this machine:", host, "Or with a key you were given:"] : ["Sign in with a key for it:"]),
    `  ${login}`,
  ].join("\n");
}
