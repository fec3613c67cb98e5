import { randomBytes } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { type Declared, type Given, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import {
  formatOf,
  formats,
  forward,
  forwardedLine,
  isTaken,
  type LoggedEvent,
  secretOf,
  targetUrl,
  unknownEvent,
} from "../forwarding.ts";
import type { Service } from "../http.ts";
import { findListener } from "../listeners.ts";
import { bodyOf } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { CommandError, exits, now, processTerminal, type Terminal } from "../terminal.ts";
import type { Whoami } from "./whoami.ts";

const declared: Declared = {
  usage: "trigger <event>",
  about: `Sends a sample of an event to your program, signed like a delivery: to the program that aos webhooks listen serves, or the one that
--forward-to names, with the secret of the profile. With --webhook the service itself sends it to that endpoint.
Samples stand in no event log. Exit status: 0 taken, 1 not.`,
  flags: [
    { name: "forward-to", takes: "<url>", description: "your program; default: that of aos webhooks listen" },
    { name: "webhook", takes: "<id>", description: "an endpoint (whk_…) that the service sends it to" },
    {
      name: "field",
      takes: "<a.b=value>",
      multiple: true,
      description: "a field of the sample; numbers, true, null and JSON are parsed",
    },
    { name: "format", takes: formats.join("|"), values: formats, description: "the body format" },
    ...serviceFlags,
  ],
  positionals: ["event"],
  examples: [
    "aos trigger task.approval_required --field agent=sales",
    "aos trigger ping --webhook whk_01jd8x0000000000000000000a",
  ],
};
export const { flags } = declared;

/** `aos trigger`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const webhook = lastOf(given.parsed, "webhook");
    const service = await serviceFor(given);
    return webhook === undefined ? toProgram(service, given) : toEndpoint(service, webhook, given);
  });

interface EventType {
  readonly event: string;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Makes the sample and brings it to the program. */
async function toProgram(service: Service, given: Given): Promise<number> {
  const { parsed, terminal, argument, json } = given;
  const { profile } = service.access;
  const listener = await findListener(terminal.env, profile);
  const named = lastOf(parsed, "forward-to") ?? listener?.forward_to;
  if (named === undefined)
    throw new CommandError(
      "No listener is running. Start aos webhooks listen --forward-to <url>, or set your program with --forward-to or an endpoint with --webhook.",
    );
  const url = targetUrl(named);
  const format = formatOf(lastOf(parsed, "format") ?? listener?.format);
  const types = await service.call("GET", "/v1/webhooks/event-types");
  const who = await service.call("GET", "/v1/admin/whoami");
  const fault = refused(types, given, profile) ?? refused(who, given, profile);
  if (fault !== null) return fault;
  const sample = sampleOf(
    (types.body as { data: readonly EventType[] }).data,
    argument(0),
    parsed.values.get("field") ?? [],
  );
  const { environment } = who.body as Whoami;
  const forwarded = await forward(sample, {
    url,
    format,
    environment,
    secret: await secretOf(terminal.env, service.access),
  });
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ event_id: sample.event_id, event: sample.type, ...forwarded })}\n`
      : `${forwardedLine(sample, forwarded, terminal)}\n`,
  );
  if (!isTaken(forwarded)) terminal.stderr.write(`${url} did not accept it.\n`);
  return isTaken(forwarded) ? exits.done : exits.failed;
}

function sampleOf(types: readonly EventType[], name: string, fields: readonly string[]): LoggedEvent {
  const type = types.find(({ event }) => event === name);
  if (type === undefined)
    throw unknownEvent(
      name,
      types.map(({ event }) => event),
    );
  const pairs = fields.map((text) => {
    const cut = text.indexOf("=");
    if (cut < 1) throw new CommandError(`--field ${text}: write it as <name>=<value>.`);
    return [text.slice(0, cut), guessed(text.slice(cut + 1))] as const;
  });
  const data = bodyOf(structuredClone(type.example) as Record<string, unknown>, pairs);
  const id = `evt_sample${randomBytes(10).toString("hex")}`;
  const task = typeof data.task_id === "string" ? data.task_id : null;
  return {
    event_id: id,
    sequence: null,
    type: name,
    time: new Date(now()).toISOString(),
    task_id: task,
    audit_ref: null,
    data,
  };
}

/** A delivery takes this long at most (milliseconds): the receiver's 15 seconds, and a moment. */
const patience = 20_000;

/** Has the service send it, and waits for what comes of the first attempt. */
async function toEndpoint(service: Service, webhook: string, given: Given): Promise<number> {
  const { parsed, terminal, argument } = given;
  const shown = { operation: { id: "webhooks.testWebhook" }, parsed, service, terminal };
  if ((parsed.values.get("field") ?? []).length > 0)
    throw new CommandError("--field changes samples that this machine sends; leave it out with --webhook.");
  const path = `/v1/webhooks/${encodeURIComponent(webhook)}`;
  const sent = await service.call("POST", `${path}/test`, { json: { event: argument(0) } });
  const fault = refused(sent, given, service.access.profile);
  if (fault !== null) return fault;
  const { delivery_id } = sent.body as { delivery_id: string };
  for (const end = now() + patience; ; await after(250)) {
    const reply = await service.call("GET", `${path}/deliveries/${delivery_id}`);
    const { state, attempts, in_progress } = reply.body as { state?: string; attempts?: number; in_progress?: boolean };
    const attempted = (attempts ?? 0) > 0 && in_progress !== true;
    if (reply.status !== 200 || state !== "pending" || attempted || now() > end)
      return showReply(shown, reply) || (state === "delivered" ? exits.done : exits.failed);
  }
}
