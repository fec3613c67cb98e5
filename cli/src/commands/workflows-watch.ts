import type { AosCommand, Given } from "../command.ts";
import { type Held, holdLines, leavesOnQuestion, onQuestionOption, PeopleAsked, whileHeld } from "../holds.ts";
import { serviceFor } from "../http.ts";
import { refused } from "../problems.ts";
import {
  exitOfRun,
  pathOfRun,
  type RunShown,
  readRun,
  refusedStream,
  runEventLine,
  runEvents,
  runLines,
} from "../run-events.ts";
import { exits } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Shows the events of a run, past and new, until it has ended, then its steps as a table. Holds, such as an
approval or a kill switch, are shown with the page where people can lift them. Exit status: 0 completed, 2
cancelled, 3 people are asked (with --on-question exit), 1 any other end.`,
    )
    .option("--after <number>", "only events after this number")
    .addOption(onQuestionOption())
    .serviceOptions()
    .examples("aos workflows watch refund wfr_01jd8x0000000000000000000a")
    .run(run);

async function run(given: Given): Promise<number> {
  const { argument, options, json, terminal } = given;
  const service = await serviceFor(given);
  const at = { workflow: argument(0), run: argument(1) };
  const lastEventId = options.after;
  const onReopen = (): unknown => terminal.stderr.write("Connection lost; reconnecting.\n");
  const write = (value: object, line: string): unknown =>
    terminal.stdout.write(`${json ? JSON.stringify(value) : line}\n`);
  const tell = (held: Held | null): unknown =>
    write({ type: "held", data: held }, held ? holdLines(held, terminal).join("\n") : "goes on");
  try {
    await whileHeld({ service, path: pathOfRun(at), tell, leaves: leavesOnQuestion(options) }, async (signal) => {
      for await (const event of runEvents(service, at, { lastEventId, onReopen, signal }))
        write(event, runEventLine(event, terminal));
    });
  } catch (error) {
    if (error instanceof PeopleAsked) return exits.asked;
    return refused(refusedStream(error), given, service.access.profile) ?? exits.failed;
  }
  const reply = await readRun(service, at);
  const failed = refused(reply, given, service.access.profile);
  if (failed !== null) return failed;
  const ended = reply.body as RunShown;
  if (!json) terminal.stdout.write(`\n${runLines(ended, terminal).join("\n")}\n`);
  return exitOfRun(ended.status);
}
