import { parseArgs } from "node:util";
import { writeLogKeys } from "../audit-log/log-keys.ts";
import { type Config, readConfig } from "../config/config.ts";
import { adoptLog } from "../features/audit/index.ts";
import { refusalOf } from "../kernel/errors.ts";
import { defaultOrganization, environments, type Scope } from "../kernel/principal.ts";
import type { Terminal } from "./config.ts";
import { ArgumentError, CommandError, isForUser, onHost } from "./on-host.ts";

const USAGE = `Usage: aos audit adopt --reason "…" [--environment <name>]

Closes every audit log whose signing is stopped, and opens another in its place. The first record of the new log names the head of the closed one as it was
signed last and as it was found, and the reason. What is in the closed log stays, and keeps its proofs.

  --reason <text>        Why, for whoever reads the log; one line
  --environment <name>   ${[...environments, "installation"].join(", ")} (default: all that are stopped)
`;

/** The log of calls without a valid key belongs to no environment. */
const logs = [...environments, "installation"] as const;

interface Asked {
  readonly reason: string;
  readonly environments: readonly string[];
}

/** One log that was closed. */
interface Adopted {
  readonly environment: string;
  readonly stopped: string;
  readonly closed: { readonly pinned: string; readonly found: string };
  readonly opened: string;
  readonly refused: readonly string[];
}

/** `aos audit adopt`: through the pipeline as `system:cli`, beside a running service or without one. Returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal = process): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked === null) {
      terminal.stdout.write(USAGE);
      return 0;
    }
    const adopted = await adopt(readConfig(terminal.env), asked);
    if (adopted.length === 0) throw new CommandError("Every audit log is signed, so there is nothing to adopt.");
    for (const one of adopted) terminal.stdout.write(told(one));
    return 0;
  } catch (error) {
    if (!isForUser(error)) throw error;
    terminal.stderr.write(`aos: ${error.message}\n`);
    return 1;
  }
}

function adopt(config: Config, asked: Asked): Promise<Adopted[]> {
  return onHost(config, async (app) => {
    const adopted: Adopted[] = [];
    for (const environment of asked.environments) {
      const scope = { organization: defaultOrganization, environment } as Scope;
      try {
        const { reason, found, pinned, opened, refused, checkpoint } = await app.inside(adoptLog, "cli", scope, {
          reason: asked.reason,
        });
        await app.auditPort.pin(scope, checkpoint);
        adopted.push({ environment, stopped: reason, closed: { pinned, found }, opened, refused });
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        if (refusal.type.code !== "log_not_stopped") throw new CommandError(refusal.details.detail);
      }
    }
    if (adopted.length > 0) await writeLogKeys(config.dataDir, await app.logKeys());
    return adopted;
  });
}

/** Null: help was asked for. */
function readArguments(args: readonly string[]): Asked | null {
  const { reason, environment, help } = parse(args);
  if (help) return null;
  if (reason === undefined || reason.trim() === "" || reason.includes("\n")) {
    throw new ArgumentError("--reason is missing: say in one line why the log is closed. See: aos audit adopt --help");
  }
  if (environment !== undefined && !(logs as readonly string[]).includes(environment)) {
    throw new ArgumentError(`--environment is ${JSON.stringify(environment)}; it must be one of ${logs.join(", ")}.`);
  }
  return { reason: reason.trim(), environments: environment === undefined ? logs : [environment] };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const options = { reason: text, environment: text, help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    const [first = ""] = (error as Error).message.split(". ");
    throw new ArgumentError(`${first}. See: aos audit adopt --help`);
  }
}

function told({ environment, stopped, closed, opened, refused }: Adopted): string {
  const lines = [
    `${environment}: stopped (${stopped}); it goes on as ${opened}.`,
    `  closed, as signed last: ${closed.pinned}`,
    `  closed, as found:       ${closed.found}`,
    ...refused.map((id) => `  not taken over, because the service did not write it: ${id}`),
  ];
  if (stopped.startsWith("key_")) lines.push("  The log has a new key: restart every process of the service.");
  return `${lines.join("\n")}\n`;
}
