import { text as textOf } from "node:stream/consumers";
import { addressOf, sound, standardUrl } from "../access.ts";
import type { AosCommand, Given } from "../command.ts";
import { credentialsFile, findEntry, keepEntry, profileName } from "../credentials.ts";
import { serviceOf } from "../http.ts";
import { refused } from "../problems.ts";
import { hiddenLineOf } from "../prompt.ts";
import { CommandError, NotSignedIn } from "../terminal.ts";
import { type Whoami, whoLine } from "./whoami.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Signs in with a key, typed without being shown or read from standard input. The key is checked and saved in
$XDG_CONFIG_HOME/aos (else ~/.config/aos), readable by you alone, one for each profile and address. AOS_KEY and
AOS_URL take precedence over what is saved.`,
    )
    .option("--url <address>", "the service; AOS_URL, the profile's, or else http://127.0.0.1:4000")
    .option("--key <->", "reads the key from standard input")
    .option("--profile <name>", "profile to save it in; default: default (AOS_PROFILE)")
    .option("--json", "the service's response as JSON")
    .examples(
      "aos login",
      "aos login --profile live --url https://agents.example.com",
      "aos login --key - < .aos/admin.key",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, json, terminal } = given;
  const { env } = terminal;
  const profile = profileName(env, options.profile);
  const named = options.url ?? (env.AOS_URL || (await findEntry(env, profile))?.url) ?? (await standardUrl(env));
  const url = addressOf(named, options.url === undefined ? "AOS_URL" : "--url");
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
}

/** The key: from standard input, or typed without being shown. Never an argument, which other users of the machine could read. */
async function keyOf({ options, terminal }: Given, url: string): Promise<string> {
  const given = options.key;
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
