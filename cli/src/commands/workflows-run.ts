import { operations } from "@aos/sdk/operations";
import type { AosCommand, Given } from "../command.ts";
import { leavesOnQuestion, PeopleAsked, whileHeld, writeHold } from "../holds.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { callOptions, valueOptions } from "../operations/options.ts";
import { addressOf, requestOf } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { progressOn } from "../output/progress.ts";
import { refused } from "../problems.ts";
import {
  exitOfRun,
  pathOfRun,
  type RunAddress,
  type RunShown,
  readRun,
  refusedStream,
  runEvents,
  runLines,
} from "../run-events.ts";
import { exits, now } from "../terminal.ts";

const operation = operations["workflows.startRun"];
const values = valueOptions(operation);
export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Starts a run of a workflow's live version. --<name> <value> sets a field of the input; --input takes it whole,
as JSON, and -f the whole body from a file. --wait waits for the run to end and shows its steps; the exit status
is then 0 completed, 2 cancelled, 1 any other end. If the run waits for people, it shows what is asked and
where, and waits; with --on-question exit it ends with status 3.`,
    )
    .addOptions([...values, ...callOptions(operation)])
    .serviceOptions()
    .openOptions()
    .examples(
      `aos workflows run refund --order-id or_2001 --message "It arrived broken." --wait`,
      'aos workflows run refund --input \'{"order_id": "or_2001"}\'',
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { argument, options, terminal } = given;
  const asked = { ...given, fields: await asInputSays(given, given.fields) };
  const request = await requestOf(operation, asked, values);
  const service = await serviceFor(given);
  const reply = await service.call(request.method, addressOf(request), request.sending);
  const shown = { ...given, operation, service };
  if (!options.wait || options.dryRun || reply.status !== 202) return showReply(shown, reply);
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
}

interface Described {
  readonly draft?: { readonly input?: { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> } };
}

/** Moves fields into the input. A value that looks like a number stays a string if the workflow's input schema says so. */
async function asInputSays(given: Given, fields: Given["fields"]): Promise<Given["fields"]> {
  if (fields.length === 0) return fields;
  const service = await serviceFor(given);
  const { status, body } = await service.call("GET", `/v1/workflows/${encodeURIComponent(given.argument(0))}`);
  const properties = (status === 200 ? (body as Described).draft?.input?.properties : undefined) ?? {};
  return fields.map(([name, value]) => [
    `input.${name}`,
    [properties[name]?.type].flat().join() === "string" ? JSON.stringify(value) : value,
  ]);
}

/** Follows a run to its end with a progress line. Returns null if people are asked and the command does not wait. */
async function endOf(service: Service, at: RunAddress, { terminal, options }: Given): Promise<Reply | null> {
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
      tell: writeHold(terminal, progress),
      leaves: leavesOnQuestion(options),
    };
    await whileHeld(watching, async (signal) => {
      for await (const { type, data } of runEvents(service, at, { signal })) {
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
