import { operations } from "@aos/sdk/operations";
import { type Declared, type Given, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import {
  formatOf,
  formats,
  forward,
  forwardedLine,
  type LoggedEvent,
  secretOf,
  type Target,
  targetUrl,
  unknownEvent,
} from "../forwarding.ts";
import { type Service, StreamRefused } from "../http.ts";
import { announce } from "../listeners.ts";
import { timeOf } from "../output/text.ts";
import { CommandError, exits, painter, processTerminal, type Terminal } from "../terminal.ts";
import type { Whoami } from "./whoami.ts";

const declared: Declared = {
  usage: "webhooks listen --forward-to <url>",
  about: `Brings events to a program on this machine, which the service itself could not reach: it reads them from the event stream and sends each
on as a delivery of the service looks, signed by Standard Webhooks. The secret is printed at the start, and stays the same for the profile.
A connection to the service that breaks is taken up where it was. What your program does not take is shown, and not tried again.`,
  flags: [
    { name: "forward-to", takes: "<url>", description: "your program; a number is a port on this machine" },
    {
      name: "events",
      takes: "<name>",
      multiple: true,
      description: "only these events: names or groups such as task.*, separated by commas",
    },
    { name: "agents", takes: "<name>", multiple: true, description: "only events of these agents" },
    {
      name: "after",
      takes: "<number>",
      description: "starts after this sequence number; default: now",
    },
    {
      name: "format",
      takes: formats.join("|"),
      values: formats,
      description: "the body format; default: flat",
    },
    ...serviceFlags,
  ],
  examples: ["aos webhooks listen --forward-to http://127.0.0.1:3000/webhooks --events 'task.*'"],
};
export const { flags } = declared;

/** `aos webhooks listen`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { parsed, json } = given;
    const named = lastOf(parsed, "forward-to");
    if (named === undefined)
      throw new CommandError(
        `--forward-to is missing: set the address of your program.\n\nUsage: aos ${declared.usage}`,
      );
    const [url, format] = [targetUrl(named), formatOf(lastOf(parsed, "format"))];
    const service = await serviceFor(given);
    const { access } = service;
    const who = await service.call("GET", "/v1/admin/whoami");
    const fault = refused(who, given, access.profile);
    if (fault !== null) return fault;
    const names = parsed.values.get("events");
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
  });

/** Throws where a name is no event and no group of events: nothing would ever come. */
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
  const { terminal, parsed, json } = given;
  const list = (name: string): string | undefined => parsed.values.get(name)?.join(",");
  const [event, agent, after] = [list("events"), list("agents"), lastOf(parsed, "after")];
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
