import { type AosCommand, collect, type Given } from "../command.ts";
import { type Sending, serviceFor } from "../http.ts";
import { bodyOf, fieldPairs, isJson } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { CommandError, readInput, type Terminal } from "../terminal.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Calls any path of the API with your key and prints the response unchanged. The default method is GET, or POST
with a body.`,
    )
    .option("-f, --file <file>", "the body, sent unchanged; - for standard input")
    .option("--field <a.b=value>", "a field of a JSON body; numbers, true, null and JSON are parsed", collect)
    .option("-H, --header <name: value>", "a header, such as If-Match", collect)
    .option("-i, --include", "prints status and headers to standard error")
    .serviceOptions()
    .examples(
      "aos api GET '/v1/tasks?status=queued'",
      "aos api POST /v1/governance/check --field action=task.dispatch --field agent=sales --field skill=qualify_lead",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, argument, terminal } = given;
  const body = await bodyFor(options.field ?? [], options.file, terminal);
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
    headers: headersOf(options.header ?? []),
    accept: "application/json, */*;q=0.5",
  });
  if (options.include)
    terminal.stderr.write(
      `${reply.status}\n${[...reply.headers].map(([name, value]) => `${name}: ${value}`).join("\n")}\n\n`,
    );
  const shown = reply.status < 400 ? { ...options, json: true } : options;
  return showReply({ ...given, operation: { id: "" }, options: shown, service }, reply);
}

async function bodyFor(fields: readonly string[], file: string | undefined, terminal: Terminal): Promise<Sending> {
  const pairs = fieldPairs(fields).map(([path, text]) => [path, guessed(text)] as const);
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
