import { type Declared, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { type Flag, isSet, lastOf } from "../flags.ts";
import type { Sending } from "../http.ts";
import { bodyOf, isJson } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { CommandError, processTerminal, readInput, type Terminal } from "../terminal.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const own: readonly Flag[] = [
  { name: "file", short: "f", takes: "<file>", description: "the body, sent unchanged; - for standard input" },
  {
    name: "field",
    takes: "<a.b=value>",
    multiple: true,
    description: "a field of a JSON body; numbers, true, null and JSON are parsed",
  },
  { name: "header", short: "H", takes: "<name: value>", multiple: true, description: "a header, such as If-Match" },
  { name: "include", short: "i", boolean: true, description: "prints status and headers to standard error" },
];
const declared: Declared = {
  usage: "api <method> <path>",
  about:
    "Calls any path of the API with your key and prints the response unchanged. The default method is GET, or POST with a body.",
  flags: [...own, ...serviceFlags],
  positionals: ["method", "[path]"],
  examples: [
    "aos api GET '/v1/tasks?status=queued'",
    "aos api POST /v1/governance/check --field action=task.dispatch --field agent=sales --field skill=qualify_lead",
  ],
};
export const { flags } = declared;

/** `aos api`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, argument } = given;
    const body = await bodyFor(parsed.values.get("field") ?? [], lastOf(parsed, "file"), terminal);
    const named = argument(1) !== "";
    const method = named
      ? argument(0).toUpperCase()
      : body.raw === undefined && body.yaml === undefined && body.json === undefined
        ? "GET"
        : "POST";
    const path = named ? argument(1) : argument(0);
    if (!(methods as readonly string[]).includes(method))
      throw new CommandError(`${argument(0)} is not a method: ${methods.join(", ")}.`);
    if (!path.startsWith("/"))
      throw new CommandError(`The path must begin with a slash, such as /v1/tasks, not ${JSON.stringify(path)}.`);
    const service = await serviceFor(given);
    const reply = await service.call(method, path, {
      ...body,
      headers: headersOf(parsed.values.get("header") ?? []),
      accept: "application/json, */*;q=0.5",
    });
    if (isSet(parsed, "include"))
      terminal.stderr.write(
        `${reply.status}\n${[...reply.headers].map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n`,
      );
    const asJson = { ...parsed, values: new Map([...parsed.values, ["json", ["true"]]]) };
    return showReply({ operation: { id: "" }, parsed: reply.status < 400 ? asJson : parsed, service, terminal }, reply);
  });

async function bodyFor(fields: readonly string[], file: string | undefined, terminal: Terminal): Promise<Sending> {
  const pairs = fields.map((text) => {
    const cut = text.indexOf("=");
    if (cut < 1) throw new CommandError(`--field ${text}: write it as <name>=<value>.`);
    return [text.slice(0, cut), guessed(text.slice(cut + 1))] as const;
  });
  if (file === undefined) return pairs.length === 0 ? {} : { json: bodyOf({}, pairs) };
  if (pairs.length > 0) throw new CommandError("--file sends the body unchanged: remove --field.");
  const text = await readInput(file, terminal);
  return isJson(text) ? { raw: text } : { yaml: text };
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const cut = text.indexOf(":");
      const name = text.slice(0, cut).trim().toLowerCase();
      if (cut < 1 || !/^[\w-]+$/.test(name)) throw new CommandError(`--header ${text}: write it as <name>: <value>.`);
      if (name === "authorization")
        throw new CommandError(
          "The Authorization header is set from your key; choose another key with --profile or AOS_KEY.",
        );
      return [name, text.slice(cut + 1).trim()];
    }),
  );
}
