import { randomBytes } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { Option } from "commander";
import { type AosCommand, collect, type Given } from "../command.ts";
import {
  formats,
  forward,
  forwardedLine,
  isTaken,
  type LoggedEvent,
  secretOf,
  targetUrl,
  unknownEvent,
} from "../forwarding.ts";
import { type Service, serviceFor } from "../http.ts";
import { findListener } from "../listeners.ts";
import { bodyOf, fieldPairs } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { refused } from "../problems.ts";
import { CommandError, exits, now } from "../terminal.ts";
import type { Whoami } from "./whoami.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Sends a sample of an event to your program, signed like a delivery: to the program of aos webhooks listen, or
that of --forward-to, with the secret of the profile. With --webhook the service itself sends it to that
endpoint. Samples are not in the event log. Exit status: 0 accepted, 1 not.`,
    )
    .option("--forward-to <url>", "your program; default: that of aos webhooks listen")
    .option("--webhook <id>", "an endpoint (whk_…) that the service sends it to")
    .option("--field <a.b=value>", "a field of the sample; numbers, true, null and JSON are parsed", collect)
    .addOption(new Option("--format <format>", "the body format").choices(formats))
    .serviceOptions()
    .examples(
      "aos trigger task.approval_required --field agent=sales",
      "aos trigger ping --webhook whk_01jd8x0000000000000000000a",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { options } = given;
  const webhook = options.webhook;
  const service = await serviceFor(given);
  return webhook === undefined ? toProgram(service, given) : toEndpoint(service, webhook, given);
}

interface EventType {
  readonly event: string;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Makes the sample and brings it to the program. */
async function toProgram(service: Service, given: Given): Promise<number> {
  const { options, terminal, argument, json } = given;
  const { profile } = service.access;
  const listener = await findListener(terminal.env, profile);
  const named = options.forwardTo ?? listener?.forward_to;
  if (named === undefined)
    throw new CommandError(
      "No listener is running. Start aos webhooks listen --forward-to <url>, or set your program with --forward-to or an endpoint with --webhook.",
    );
  const url = targetUrl(named);
  const format = options.format ?? listener?.format ?? "flat";
  const types = await service.call("GET", "/v1/webhooks/event-types");
  const who = await service.call("GET", "/v1/admin/whoami");
  const fault = refused(types, given, profile) ?? refused(who, given, profile);
  if (fault !== null) return fault;
  const sample = sampleOf((types.body as { data: readonly EventType[] }).data, argument(0), options.field ?? []);
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
  const pairs = fieldPairs(fields).map(([path, text]) => [path, guessed(text)] as const);
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
  const { options, argument } = given;
  const shown = { ...given, operation: { id: "webhooks.testWebhook" }, service };
  if ((options.field ?? []).length > 0)
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
