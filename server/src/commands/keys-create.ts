import { type Config, readConfig } from "../config/config.ts";
import { issueKey } from "../features/admin/index.ts";
import type { IssuedKey } from "../features/admin/schemas.ts";
import type { Refusal } from "../kernel/errors.ts";
import { defaultOrganization } from "../kernel/principal.ts";
import { insideCall } from "../pipeline/inside.ts";
import type { Terminal } from "./config.ts";
import { type Asked, readArguments, USAGE } from "./keys-create-options.ts";
import { CommandError, isForUser, onHost } from "./on-host.ts";

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
    if (!isForUser(error)) throw error;
    terminal.stderr.write(`aos: ${error.message}\n`);
    return 1;
  }
}

function issue(config: Config, asked: Asked): Promise<IssuedKey> {
  return onHost(config, async (app) => {
    const scope = { organization: defaultOrganization, environment: asked.environment };
    const { output, refusal } = await app.pipeline.run(
      issueKey,
      insideCall(app.newId("req"), issueKey, "cli", scope, {}, asked.body),
    );
    if (refusal) throw new CommandError(explain(refusal));
    return output as IssuedKey;
  });
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
  terminal.stderr.write(
    `A key for ${environment} with the role ${role}, acting for ${member_name}; ${until}. It is shown this once.\n`,
  );
}
