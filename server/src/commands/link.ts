import { parseArgs } from "node:util";
import { type Config, readConfig } from "../config/config.ts";
import { type MadeLink, makeLink } from "../features/admin/index.ts";
import { timestamp } from "../kernel/clock.ts";
import { refusalOf } from "../kernel/errors.ts";
import { defaultOrganization, type Environment, environments } from "../kernel/principal.ts";
import type { Terminal } from "./config.ts";
import { ArgumentError, CommandError, isForUser, onHost } from "./on-host.ts";
import { findRunningService } from "./running-service.ts";

const USAGE = `Usage: aos link [options]

Prints a link that signs a person in to the portal: once, within 15 minutes. Made on this host, without a key.

  --environment <${environments.join("|")}>  Where the session acts (default: development)
  --member <mbr_… or e-mail address>  Whom it signs in (default: who has been an admin there for longest)
  --json                              Print all of its data as JSON
`;

interface Asked {
  readonly environment: Environment;
  readonly member: string | null;
  readonly json: boolean;
}

/**
 * `aos link`: makes a one-time link through the pipeline as `system:cli`, beside a running service or without one. Prints the link alone on standard
 * output. Answers the exit code.
 */
export async function run(args: readonly string[], terminal: Terminal = process): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked === null) {
      terminal.stdout.write(USAGE);
      return 0;
    }
    print(await make(await ofRunning(readConfig(terminal.env), terminal.env), asked), asked, terminal);
    return 0;
  } catch (error) {
    if (!isForUser(error)) throw error;
    terminal.stderr.write(`aos: ${error.message}\n`);
    return 1;
  }
}

/** The settings with the portal's address as the running service has it, unless it is set here: that service may have been started with another port. */
async function ofRunning(config: Config, { AOS_APP_URL, AOS_PORT }: Terminal["env"]): Promise<Config> {
  const running = AOS_APP_URL || AOS_PORT ? undefined : await findRunningService(config.dataDir);
  return running === undefined ? config : { ...config, appUrl: running.app_url };
}

function make(config: Config, { environment, member }: Asked): Promise<MadeLink> {
  const scope = { organization: defaultOrganization, environment };
  return onHost(config, (app) =>
    app.inside(makeLink, "cli", scope, { member }).catch((error: unknown) => {
      const refusal = refusalOf(error);
      throw refusal ? new CommandError(refusal.details.detail) : error;
    }),
  );
}

/** Null: help was asked for. */
function readArguments(args: readonly string[]): Asked | null {
  const { environment = "development", member, json, help } = parse(args);
  if (help) return null;
  if (!isEnvironment(environment)) {
    throw new ArgumentError(
      `--environment is ${JSON.stringify(environment)}; it must be one of ${environments.join(", ")}.`,
    );
  }
  return { environment, member: member ?? null, json: json === true };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const options = { environment: text, member: text, json: flag, help: { ...flag, short: "h" } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    const [first = ""] = (error as Error).message.split(". ");
    throw new ArgumentError(`${first}. See: aos link --help`);
  }
}

function isEnvironment(word: string): word is Environment {
  return (environments as readonly string[]).includes(word);
}

function print(
  { url, memberId, name, role, expiresAt }: MadeLink,
  { environment, json }: Asked,
  terminal: Terminal,
): void {
  const expires_at = timestamp(expiresAt.getTime());
  if (json) {
    terminal.stdout.write(
      `${JSON.stringify({ url, member: memberId, name, role, environment, expires_at }, null, 2)}\n`,
    );
    return;
  }
  terminal.stdout.write(`${url}\n`);
  terminal.stderr.write(`Signs ${name} in to ${environment} as ${role}: once, until ${expires_at}.\n`);
}
