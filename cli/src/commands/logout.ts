import { findAccess } from "../access.ts";
import { type Declared, runDeclared } from "../call-command.ts";
import { credentialsFile, forgetKey } from "../credentials.ts";
import { lastOf } from "../flags.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "logout [--profile <name>]",
  about:
    "Removes the key saved for the profile and address. The key itself stays valid; aos admin keys revoke revokes it.",
  flags: [
    { name: "profile", takes: "<name>", description: "the profile; default: default (AOS_PROFILE)" },
    { name: "help", short: "h", boolean: true, description: "this text" },
  ],
};
export const { flags } = declared;

/** `aos logout`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async ({ parsed }) => {
    const { env, stderr } = terminal;
    const { url, profile } = await findAccess({ ...env, AOS_KEY: undefined }, { profile: lastOf(parsed, "profile") });
    const forgotten = await forgetKey(env, profile, url);
    stderr.write(
      forgotten
        ? `Removed the key for ${url} (${credentialsFile(env)}).\n`
        : `No key was saved for ${url} in the profile ${profile}.\n`,
    );
    if (env.AOS_KEY) stderr.write("AOS_KEY is set and still used.\n");
    return 0;
  });
