import type { OperationEntry } from "@aos/sdk/operations";
import { isSet, lastOf, type Parsed, parseFlags } from "../flags.ts";
import { connect, type Reply, type Service } from "../http.ts";
import { problemOf } from "../problems.ts";
import { CommandError, type Terminal, telling } from "../terminal.ts";
import type { OperationCommand } from "./names.ts";
import { callFlags, isPaged, valueFlags } from "./options.ts";
import { pageMost, readPages, writePages } from "./pages.ts";
import { addressOf, type Request, requestOf } from "./request.ts";
import { showReply, showRows } from "./show.ts";
import { operationHelp, usageLine } from "./usage.ts";

/** A command as it was typed: what it is about, and what it was given. */
export interface Typed {
  readonly operation: OperationEntry;
  readonly parsed: Parsed;
  readonly service: Service;
  readonly terminal: Terminal;
}

/** Runs the command of an operation. Answers the exit status. */
export function runOperation(command: OperationCommand, args: readonly string[], terminal: Terminal): Promise<number> {
  return telling(terminal, async () => {
    const { operation } = command;
    const flags = valueFlags(operation);
    const usage = usageLine(command);
    const help = `aos ${command.words.join(" ")} --help shows its options.`;
    const parsed = parseFlags(args, [...flags, ...callFlags(operation)], { open: operation.body?.open === true, help });
    if (isSet(parsed, "help")) {
      terminal.stdout.write(operationHelp(command, terminal));
      return 0;
    }
    const request = await requestOf(operation, parsed, flags, terminal, usage);
    const service = await connect(terminal, {
      profile: lastOf(parsed, "profile"),
      keyFile: lastOf(parsed, "key-file"),
    });
    return perform({ operation, parsed, service, terminal }, request);
  });
}

/** Makes the call and shows what came. */
export async function perform(typed: Typed, request: Request): Promise<number> {
  const { operation, parsed } = typed;
  if (isSet(parsed, "follow") || operation.answer.types[0] === "text/event-stream") {
    const { follow } = await import("./follow.ts");
    return follow(typed, request);
  }
  if (isPaged(operation)) return showList(typed, request);
  const reply = await callOnce(typed, request);
  if (isSet(parsed, "wait") && problemOf(reply) === null) {
    const { exitOfEnd, waitFor } = await import("./wait.ts");
    const last = await waitFor(typed, request, reply);
    return showReply(typed, last) || exitOfEnd(operation.id, last);
  }
  return showReply(typed, reply);
}

/** One call, on the revision that is present where one has to be named. */
async function callOnce({ operation, parsed, service }: Typed, request: Request): Promise<Reply> {
  const ifMatch =
    lastOf(parsed, "if-match") ?? (operation.ifMatch ? await presentRevision(service, request) : undefined);
  const accept = isSet(parsed, "yaml") ? "application/yaml, application/json;q=0.9" : acceptOf(operation);
  return service.call(request.method, addressOf(request), {
    ...request.sending,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    accept,
  });
}

/** What an answer may be: its own type first, JSON for what is refused. */
function acceptOf({ answer }: OperationEntry): string {
  const [first = "application/json"] = answer.types;
  return first.startsWith("application/json") ? first : `${first}, application/json;q=0.9`;
}

/** The ETag of what a change is about; undefined where it is not there yet. */
async function presentRevision(service: Service, { path }: Request): Promise<string | undefined> {
  const reply = await service.call("GET", path);
  if (reply.status !== 405) return reply.etag ?? undefined;
  // A part, such as a tool of an agent, has the revision of the whole.
  const whole = await service.call("GET", path.split("/").slice(0, -2).join("/"));
  return whole.etag ?? undefined;
}

/** A list: one page, or as many as were asked for. */
async function showList(typed: Typed, request: Request): Promise<number> {
  const { operation, parsed, terminal, service } = typed;
  const most = isSet(parsed, "all") ? Number.POSITIVE_INFINITY : limitOf(parsed);
  if (isSet(parsed, "json") && most > pageMost) {
    return writePages(typed, request, most);
  }
  const read = await readPages(service, request, most, terminal);
  if ("refused" in read) return showReply(typed, read.refused);
  if (isSet(parsed, "json")) terminal.stdout.write(`${JSON.stringify(read.first, null, 2)}\n`);
  else showRows(operation.id, read.rows, terminal);
  if (read.more && !isSet(parsed, "json")) terminal.stderr.write(`More items exist: use --limit <number> or --all.\n`);
  return 0;
}

function limitOf(parsed: Parsed): number {
  const text = lastOf(parsed, "limit") ?? "25";
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`--limit takes a whole number of at least 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}
