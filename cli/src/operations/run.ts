import type { OperationEntry } from "@aos/sdk/operations";
import type { OptionValues } from "commander";
import type { Given } from "../command.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { problemOf } from "../problems.ts";
import { CommandError } from "../terminal.ts";
import { isPaged, valueOptions } from "./options.ts";
import { pageMost, readPages, writePages } from "./pages.ts";
import { addressOf, type Request, requestOf } from "./request.ts";
import { showReply, showRows } from "./show.ts";

export interface Typed extends Given {
  readonly operation: OperationEntry;
  readonly service: Service;
}

export async function runOperation(operation: OperationEntry, given: Given): Promise<number> {
  const request = await requestOf(operation, given, valueOptions(operation));
  return perform({ ...given, operation, service: await serviceFor(given) }, request);
}

export async function perform(typed: Typed, request: Request): Promise<number> {
  const { operation, options } = typed;
  if (options.follow || operation.answer.types[0] === "text/event-stream") {
    const { follow } = await import("./follow.ts");
    return follow(typed, request);
  }
  if (isPaged(operation)) return showList(typed, request);
  const reply = await callOnce(typed, request);
  if (options.wait && problemOf(reply) === null) {
    const { exitOfEnd, waitFor } = await import("./wait.ts");
    const { severalSyncs, waitForSyncs } = await import("./wait-syncs.ts");
    const syncs = severalSyncs(reply.body);
    if (syncs !== null) {
      const { last, exit } = await waitForSyncs(typed, request, syncs);
      return showReply(typed, last) || exit;
    }
    const last = await waitFor(typed, request, reply);
    return showReply(typed, last) || exitOfEnd(operation.id, last);
  }
  return showReply(typed, reply);
}

/** Sends the current revision if the operation requires `If-Match`. */
async function callOnce({ operation, options, service }: Typed, request: Request): Promise<Reply> {
  const ifMatch = options.ifMatch ?? (operation.ifMatch ? await presentRevision(service, request) : undefined);
  const accept = options.yaml ? "application/yaml, application/json;q=0.9" : acceptOf(operation);
  return service.call(request.method, addressOf(request), {
    ...request.sending,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    accept,
  });
}

/** The operation's own type first; problems are JSON. */
function acceptOf({ answer }: OperationEntry): string {
  const [first = "application/json"] = answer.types;
  return first.startsWith("application/json") ? first : `${first}, application/json;q=0.9`;
}

/** The current ETag; undefined if the resource does not exist yet. */
async function presentRevision(service: Service, { path }: Request): Promise<string | undefined> {
  const reply = await service.call("GET", path);
  if (reply.status !== 405) return reply.etag ?? undefined;
  // A part, such as a tool of an agent, has the revision of the whole.
  const whole = await service.call("GET", path.split("/").slice(0, -2).join("/"));
  return whole.etag ?? undefined;
}

/** A list: one page, or as many as were asked for. */
async function showList(typed: Typed, request: Request): Promise<number> {
  const { operation, options, terminal, service } = typed;
  const most = options.all ? Number.POSITIVE_INFINITY : limitOf(options);
  if (options.json && most > pageMost) {
    return writePages(typed, request, most);
  }
  const read = await readPages(service, request, most, terminal);
  if ("refused" in read) return showReply(typed, read.refused);
  if (options.json) terminal.stdout.write(`${JSON.stringify(read.first, null, 2)}\n`);
  else showRows(operation.id, read.rows, terminal);
  if (read.more && !options.json) terminal.stderr.write(`More items exist: use --limit <number> or --all.\n`);
  return 0;
}

function limitOf({ limit: text = "25" }: OptionValues): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`--limit takes a whole number of at least 1, not ${JSON.stringify(text)}.`);
  return Number(text);
}
