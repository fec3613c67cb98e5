import { operations } from "@aos/sdk/operations";
import { type Declared, type Given, refused, runDeclared, serviceFor } from "../call-command.ts";
import { isSet, type Parsed } from "../flags.ts";
import { leavesOnQuestion, PeopleAsked, sayHeld, whileHeld } from "../held.ts";
import type { Reply, Service } from "../http.ts";
import { callFlags, valueFlags } from "../operations/options.ts";
import { addressOf, requestOf } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { progressOn } from "../output/progress.ts";
import {
  exitOfRun,
  pathOfRun,
  type RunAddress,
  type RunShown,
  readRun,
  refusedStream,
  runLines,
  storyOfRun,
} from "../run-story.ts";
import { exits, now, processTerminal, type Terminal } from "../terminal.ts";

const operation = operations["workflows.startRun"];
const values = valueFlags(operation);
const declared: Declared = {
  usage: "workflows run <workflow> [options]",
  about: `Starts a run of a workflow's live version. --<name> <value> sets a field of the input; --input takes it whole, as JSON, and -f the whole
body from a file. With --wait the run is shown with its steps when it has ended, and the exit status says how: 0 completed, 2 cancelled,
1 any other end. Where the run waits for people, it shows what is asked and where, and waits; --on-question exit ends with 3 instead.`,
  flags: [
    ...values,
    ...callFlags(operation).map((flag) =>
      flag.name === "wait" ? { ...flag, description: "waits for the run to end and shows its steps" } : flag,
    ),
  ],
  positionals: ["workflow"],
  open: true,
  examples: [
    `aos workflows run refund --order-id or_2001 --message "It arrived broken." --wait`,
    'aos workflows run refund --input \'{"order_id": "or_2001"}\'',
  ],
};
export const { flags } = declared;

/** `aos workflows run`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { argument, parsed } = given;
    const asked = {
      ...parsed,
      positionals: [argument(0)],
      others: await asInputSays(given, parsed.others),
    };
    const request = await requestOf(operation, asked, values, terminal, `Usage: aos ${declared.usage}`);
    const service = await serviceFor(given);
    const reply = await service.call(request.method, addressOf(request), request.sending);
    const shown = { operation, parsed, service, terminal };
    if (!isSet(parsed, "wait") || isSet(parsed, "dry-run") || reply.status !== 202) return showReply(shown, reply);
    const at = { workflow: argument(0), run: (reply.body as { run_id: string }).run_id };
    const ended = await endOf(service, at, given);
    if (ended === null) return showReply(shown, await readRun(service, at)) || exits.asked;
    const failed = refused(ended, given, service.access.profile);
    if (failed !== null) return failed;
    const { status } = ended.body as RunShown;
    terminal.stdout.write(
      given.json
        ? `${JSON.stringify(ended.body, null, 2)}\n`
        : `${runLines(ended.body as RunShown, terminal).join("\n")}\n`,
    );
    return exitOfRun(status);
  });

interface Described {
  readonly draft?: { readonly input?: { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> } };
}

/** Fields of the input in their place. What reads like a number or another JSON value stays text where the workflow's input says that it is one. */
async function asInputSays(given: Given, fields: Parsed["others"]): Promise<Parsed["others"]> {
  if (fields.length === 0) return fields;
  const service = await serviceFor(given);
  const { status, body } = await service.call("GET", `/v1/workflows/${encodeURIComponent(given.argument(0))}`);
  const properties = (status === 200 ? (body as Described).draft?.input?.properties : undefined) ?? {};
  return fields.map(([name, value]) => [
    `input.${name}`,
    [properties[name]?.type].flat().join() === "string" ? JSON.stringify(value) : value,
  ]);
}

/** Follows a run to its end, with a line that says where it is. Answers the run; null: people are asked, and nobody waits for them. */
async function endOf(service: Service, at: RunAddress, { terminal, parsed }: Given): Promise<Reply | null> {
  const progress = progressOn(terminal);
  const began = now();
  let latest = "started";
  const tell = (): void => progress.say(`${at.run}  ${latest} … ${Math.round((now() - began) / 1000)} s`);
  const timer = setInterval(tell, 1000);
  if (!terminal.showsProgress)
    terminal.stderr.write(`${at.run} started; waiting for it to end. Ctrl-C stops waiting; the run continues.\n`);
  try {
    const watching = {
      service,
      path: pathOfRun(at),
      tell: sayHeld(terminal, progress),
      leaves: leavesOnQuestion(parsed),
    };
    await whileHeld(watching, async (signal) => {
      for await (const { type, data } of storyOfRun(service, at, { signal })) {
        latest = type === "run" ? String(data.status) : `${data.step} ${data.status}`;
        tell();
      }
    });
    return await readRun(service, at);
  } catch (error) {
    if (error instanceof PeopleAsked) return null;
    return refusedStream(error);
  } finally {
    clearInterval(timer);
    progress.done();
  }
}
