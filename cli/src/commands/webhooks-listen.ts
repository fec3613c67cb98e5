import { operations } from "@aos/sdk/operations";
import { Option } from "commander";
import { type AosCommand, collect, type Given } from "../command.ts";
import {
  formats,
  forward,
  forwardedLine,
  type LoggedEvent,
  secretOf,
  type Target,
  targetUrl,
  unknownEvent,
} from "../forwarding.ts";
import { type Service, StreamRefused, serviceFor } from "../http.ts";
import { announce } from "../listeners.ts";
import { timeOf } from "../output/text.ts";
import { refused } from "../problems.ts";
import { exits, painter } from "../terminal.ts";
import type { Whoami } from "./whoami.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Forwards events to a program on this machine, which the service itself could not reach: reads them from the
event stream and sends each as the service would deliver it, signed by Standard Webhooks. The secret is printed
at the start and stays the same for the profile. A lost connection to the service continues where it was. Events
that your program does not accept are shown and not retried.`,
    )
    .requiredOption("--forward-to <url>", "your program; a number is a port on this machine")
    .option("--events <name>", "only these events: names or groups such as task.*, separated by commas", collect)
    .option("--agents <name>", "only events of these agents", collect)
    .option("--after <number>", "starts after this sequence number; default: now")
    .addOption(new Option("--format <format>", "the body format").choices(formats).default("flat"))
    .serviceOptions()
    .examples("aos webhooks listen --forward-to http://127.0.0.1:3000/webhooks --events 'task.*'")
    .run(run);

async function run(given: Given): Promise<number> {
  const { options, json, terminal } = given;
  const url = targetUrl(options.forwardTo);
  const { format } = options;
  const service = await serviceFor(given);
  const { access } = service;
  const who = await service.call("GET", "/v1/admin/whoami");
  const fault = refused(who, given, access.profile);
  if (fault !== null) return fault;
  const names = options.events;
  if (names !== undefined) await checkEvents(service, names.join(",").split(","));
  const { environment } = who.body as Whoami;
  const target = { url, format, environment, secret: await secretOf(terminal.env, access) };
  await announce(terminal.env, access.profile, { pid: process.pid, forward_to: url, format });
  if (json)
    terminal.stdout.write(`${JSON.stringify({ listening: access.url, forward_to: url, secret: target.secret })}\n`);
  else
    terminal.stderr.write(
      `Events of ${environment} at ${access.url} go to ${url}. Press Ctrl-C to stop.\nSigning secret: ${target.secret}\n`,
    );
  return listen(service, target, given);
}

/** Throws if a name is neither an event nor a group of events. */
async function checkEvents(service: Service, names: readonly string[]): Promise<void> {
  const reply = await service.call("GET", "/v1/webhooks/event-types");
  const types =
    reply.status === 200 ? (reply.body as { data: readonly { event: string }[] }).data.map(({ event }) => event) : [];
  for (const name of names) {
    const start = name.endsWith("*") ? name.slice(0, -1) : null;
    if (types.length > 0 && !types.some((type) => (start === null ? type === name : type.startsWith(start))))
      throw unknownEvent(name, types);
  }
}

async function listen(service: Service, target: Target, given: Given): Promise<number> {
  const { terminal, options, json } = given;
  const list = (name: string): string | undefined => options[name]?.join(",");
  const [event, agent, after] = [list("events"), list("agents"), options.after];
  const input = {
    ...(event === undefined ? {} : { event }),
    ...(agent === undefined ? {} : { agent }),
    ...(after === undefined ? {} : { after }),
  };
  const onReopen = (): unknown => terminal.stderr.write("Connection lost; reconnecting.\n");
  try {
    for await (const { data } of service.follow(operations["webhooks.streamEvents"], input, { onReopen })) {
      const logged = data as LoggedEvent;
      const forwarded = await forward(logged, target);
      const line = json
        ? JSON.stringify({ event_id: logged.event_id, sequence: logged.sequence, event: logged.type, ...forwarded })
        : `${painter(terminal).faint(timeOf(logged.time))}  ${forwardedLine(logged, forwarded, terminal)}`;
      terminal.stdout.write(`${line}\n`);
    }
    return exits.done;
  } catch (error) {
    if (error instanceof StreamRefused) return refused(error.reply, given, service.access.profile) ?? exits.failed;
    throw error;
  }
}
