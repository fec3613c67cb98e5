import { text as textOf } from "node:stream/consumers";
import { addressOf, sound, standardUrl } from "../access.ts";
import { hiddenLineOf } from "../ask.ts";
import { type Declared, type Given, refused, runDeclared } from "../call-command.ts";
import { credentialsFile, findEntry, keepEntry, profileName } from "../credentials.ts";
import { lastOf } from "../flags.ts";
import { serviceOf } from "../http.ts";
import { CommandError, NotSignedIn, processTerminal, type Terminal } from "../terminal.ts";
import { type Whoami, whoLine } from "./whoami.ts";

const declared: Declared = {
  usage: "login [options]",
  about: `Signs in with a key. It is asked for without being shown, or read from standard input, tried, and kept in
$XDG_CONFIG_HOME/aos (else ~/.config/aos), readable by you alone, one for each profile and address.
AOS_KEY and AOS_URL, where they are set, go before what is kept.`,
  flags: [
    {
      name: "url",
      takes: "<address>",
      description: "the service; AOS_URL, the profile's, or http://127.0.0.1:4000 unless told",
    },
    { name: "key", takes: "-", description: "reads the key from standard input" },
    { name: "profile", takes: "<name>", description: "profile to save it in; default: default (AOS_PROFILE)" },
    { name: "json", boolean: true, description: "the service's response as JSON" },
    { name: "help", short: "h", boolean: true, description: "this text" },
  ],
  examples: [
    "aos login",
    "aos login --profile live --url https://agents.example.com",
    "aos login --key - < .aos/admin.key",
  ],
};
export const { flags } = declared;

/** `aos login`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, json } = given;
    const { env } = terminal;
    const profile = profileName(env, lastOf(parsed, "profile"));
    const named =
      lastOf(parsed, "url") ?? (env.AOS_URL || (await findEntry(env, profile))?.url) ?? (await standardUrl(env));
    const url = addressOf(named, lastOf(parsed, "url") === undefined ? "AOS_URL" : "--url");
    const key = sound((await keyOf(given, url)).trim());
    const reply = await serviceOf({ url, profile, key, source: "profile", file: null }).call("GET", "/v1/admin/whoami");
    const fault = refused(reply, given, profile);
    if (fault !== null) return fault;
    const kept = await findEntry(env, profile, url);
    await keepEntry(env, { profile, url, key, webhook_secret: kept?.webhook_secret ?? null });
    const who = reply.body as Whoami;
    if (json) terminal.stdout.write(`${JSON.stringify(who, null, 2)}\n`);
    terminal.stderr.write(`Signed in to ${url} as ${whoLine(who)}. The key is saved in ${credentialsFile(env)}.\n`);
    if (env.AOS_KEY && profile !== "default")
      terminal.stderr.write(`AOS_KEY is set and takes precedence; use this key with --profile ${profile}.\n`);
    else if (env.AOS_KEY) terminal.stderr.write("AOS_KEY is set and takes precedence over this key.\n");
    return 0;
  });

/** The key: from standard input, or typed without being shown. Never an argument, which other users of the machine could read. */
async function keyOf({ parsed, terminal }: Given, url: string): Promise<string> {
  const given = lastOf(parsed, "key");
  if (given !== undefined && given !== "-")
    throw new CommandError(
      "A key given as an argument would show in shell history and process lists. Pipe it in with --key -, or type it when asked.",
    );
  if (given === "-" || !terminal.canAsk) {
    const text = await textOf(terminal.stdin);
    if (text.trim() === "")
      throw new NotSignedIn(
        "Standard input contains no key. Pipe one in, for example aos login --key - < .aos/admin.key.",
      );
    return text;
  }
  return hiddenLineOf(`Key for ${url} (hidden): `, terminal);
}
