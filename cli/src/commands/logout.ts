import { findAccess } from "../access.ts";
import { type Declared, runDeclared } from "../call-command.ts";
import { credentialsFile, forgetKey } from "../credentials.ts";
import { lastOf } from "../flags.ts";
import { processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "logout [--profile <name>]",
  about:
    "Forgets the key that is kept for the profile and address. The key itself goes on working: aos admin keys revoke ends it.",
  flags: [
    { name: "profile", takes: "<name>", description: "whose key is forgotten; default unless told (AOS_PROFILE)" },
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
        ? `The key for ${url} is forgotten (${credentialsFile(env)}).\n`
        : `There was no key for ${url} in the profile ${profile}.\n`,
    );
    if (env.AOS_KEY) stderr.write("AOS_KEY is set, and goes on being used.\n");
    return 0;
  });
