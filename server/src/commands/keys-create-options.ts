import { parseArgs } from "node:util";
import { type Environment, environments } from "../kernel/principal.ts";
import { ArgumentError } from "./on-host.ts";

export const USAGE = `Usage: aos keys create --environment <${environments.join("|")}> --role <role> [options]

Makes an API key on this host, without one: for the first key of an environment, or the way back in. The key is printed once.

  --name <text>             What it is for (default: Made on the host)
  --service-account <word>  Whom it acts for; made at its first use (default: cli)
  --member <mbr_…>          Whom it acts for, in place of a service account: only people decide approvals
  --expires-in-days <n>     1 to 3650, or never (default: 90)
  --scopes <a,b>            Narrows it to these permissions of its role
  --agents <a,b>            Narrows it to these agents
  --addresses <a,b>         Networks it may be used from: addresses or CIDR blocks
  --rate-per-second <n>     Requests a second
  --json                    Print all of its data as JSON
`;

/** What was asked for on the command line. `body` is that of POST /v1/admin/keys, which validates it. */
export interface Asked {
  readonly environment: Environment;
  readonly body: Record<string, unknown>;
  readonly json: boolean;
}

const text = { type: "string" } as const;
const known = {
  environment: text,
  role: text,
  name: text,
  "service-account": text,
  member: text,
  "expires-in-days": text,
  scopes: text,
  agents: text,
  addresses: text,
  "rate-per-second": text,
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the arguments; null: help was asked for. Throws {@link ArgumentError}. */
export function readArguments(args: readonly string[]): Asked | null {
  const given = parse(args);
  if (given.help) return null;
  const { environment, role } = given;
  if (environment === undefined || !isEnvironment(environment)) {
    const what = environment === undefined ? "is missing" : `is ${JSON.stringify(environment)}`;
    throw new ArgumentError(`--environment ${what}; it must be one of ${environments.join(", ")}.`);
  }
  if (role === undefined) throw new ArgumentError("--role is missing.");
  if (given.member !== undefined && given["service-account"] !== undefined) {
    throw new ArgumentError("--member and --service-account exclude each other: a key acts for one.");
  }
  const account = given["service-account"] === undefined ? undefined : { service_account: given["service-account"] };
  const members: Record<string, unknown> = {
    name: given.name ?? "Made on the host",
    role,
    scopes: list(given.scopes),
    agents: list(given.agents),
    addresses: list(given.addresses),
    expires_in_days: given["expires-in-days"] === "never" ? null : whole("expires-in-days", given["expires-in-days"]),
    rate_per_second: whole("rate-per-second", given["rate-per-second"]),
    for: given.member === undefined ? account : { member: given.member },
  };
  const body = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return { environment, body, json: given.json === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: false, strict: true }).values;
  } catch (error) {
    // Node's own sentence names the option; what follows it is about parseArgs.
    const [first = ""] = (error as Error).message.split(". ");
    throw new ArgumentError(`${first}. See: aos keys create --help`);
  }
}

function isEnvironment(word: string): word is Environment {
  return (environments as readonly string[]).includes(word);
}

function list(value: string | undefined): string[] | undefined {
  return value?.split(",").map((one) => one.trim());
}

function whole(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw new ArgumentError(`--${option} is ${JSON.stringify(value)}; it must be a whole number.`);
  return Number(value);
}
