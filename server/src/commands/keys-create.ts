import { type AppOptions, createApp } from "../app.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { DatabaseError } from "../db/database-error.ts";
import { hasEmbedded, runningEmbedded } from "../db/embedded/running.ts";
import { type OpenDatabase, openDatabase } from "../db/open.ts";
import { SecretKeyError } from "../db/secrets.ts";
import { issueKey } from "../features/admin/index.ts";
import type { IssuedKey } from "../features/admin/schemas.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/errors.ts";
import { defaultOrganization } from "../machine.ts";
import { insideCall } from "../pipeline/inside.ts";
import { createLog } from "../report.ts";
import { readInstallation } from "../seed/index.ts";
import type { Terminal } from "./config.ts";
import { ArgumentError, type Asked, readArguments, USAGE } from "./keys-create-options.ts";

/** The installation is not there, or the service refused. The message is what the user reads. */
class CommandError extends Error {
  override readonly name = "CommandError";
}

/**
 * `aos keys create`: issues a key through the pipeline as `system:cli`, so that it is recorded like any other call. Works beside a running service and
 * without one. Prints the key alone on standard output, so that a script can take it. Answers the exit code.
 */
export async function run(args: readonly string[], terminal: Terminal = process): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked === null) {
      terminal.stdout.write(USAGE);
      return 0;
    }
    const issued = await issue(readConfig(terminal.env), asked);
    print(issued, asked.json, terminal);
    return 0;
  } catch (error) {
    const known = [ArgumentError, CommandError, ConfigError, DatabaseError, SecretKeyError].some((kind) => error instanceof kind);
    if (!known) throw error;
    terminal.stderr.write(`aos: ${(error as Error).message}\n`);
    return 1;
  }
}

async function issue(config: Config, asked: Asked): Promise<IssuedKey> {
  const log = createLog("error");
  const database = await openBesideService(config, log);
  try {
    const installation = await readInstallation(database.pool);
    if (installation === null)
      throw new CommandError("The service has not been started on this database yet: start it once with aos start.");
    const { secretKey, dataDir } = config;
    const keySource = { dataDir, secretKey: secretKey && Buffer.from(secretKey).toString("base64") };
    const app = await createApp({
      database, installation, keySource, log, appUrl: config.appUrl, role: "api", ownThreads: false,
      rateLimit: false, trustProxy: [], outboundAllow: [], clock: systemClock,
    }); // biome-ignore format: a table
    try {
      await app.start();
      const scope = { organization: defaultOrganization, environment: asked.environment };
      const { output, refusal } = await app.pipeline.run(issueKey, insideCall(app.newId("req"), issueKey, "cli", scope, {}, asked.body));
      if (refusal) throw new CommandError(explain(refusal));
      return output as IssuedKey;
    } finally {
      await app.stop();
    }
  } finally {
    await database.close();
  }
}

/** The database of the service: that of DATABASE_URL, the embedded one that a running service holds, or the embedded one, started for this command. */
async function openBesideService(config: Config, log: AppOptions["log"]): Promise<OpenDatabase> {
  const { dataDir } = config;
  if (config.databaseUrl === undefined && !(await hasEmbedded(dataDir))) {
    throw new CommandError(
      `There is no installation in ${dataDir}: start the service once with aos start, or set AOS_DATA_DIR or DATABASE_URL.`,
    );
  }
  const databaseUrl = config.databaseUrl ?? (await runningEmbedded(dataDir)) ?? null;
  return openDatabase({ databaseUrl, dataDir, applicationName: "aos-keys-create", log });
}

const options: Readonly<Record<string, string>> = { for: "--service-account or --member" };

/** A refusal in the words of the command line: `/expires_in_days` is `--expires-in-days`. */
function explain({ type, details }: Refusal): string {
  const lines = (details.errors ?? []).map(({ pointer = "", detail }) => {
    const [name = ""] = pointer.split("/").filter((part) => part !== "");
    return `${options[name] ?? `--${name.replaceAll("_", "-")}`} ${detail}`;
  });
  return lines.length > 0 ? lines.join("\naos: ") : `${type.code}: ${details.detail}`;
}

function print(issued: IssuedKey, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.stdout.write(`${JSON.stringify(issued, null, 2)}\n`);
    return;
  }
  const { key, environment, role, member_name, expires_at } = issued;
  terminal.stdout.write(`${key}\n`);
  const until = expires_at === null ? "it does not expire" : `it expires ${expires_at}`;
  terminal.stderr.write(`A key for ${environment} with the role ${role}, acting for ${member_name}; ${until}. It is shown this once.\n`);
}
