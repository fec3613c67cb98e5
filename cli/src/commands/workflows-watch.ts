import { type Declared, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { type Held, heldLines, leavesOnQuestion, onQuestionFlag, PeopleAsked, whileHeld } from "../held.ts";
import {
  exitOfRun,
  pathOfRun,
  type RunShown,
  readRun,
  refusedStream,
  runEventLine,
  runLines,
  storyOfRun,
} from "../run-story.ts";
import { exits, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "workflows watch <workflow> <run> [options]",
  about: `Shows what happened in a run of a workflow, then what happens, step by step, until it has ended, and then its steps as a table.
What holds it, such as an approval or a kill switch, is shown with the page where people see to it.
Exit status: 0 completed, 2 cancelled, 3 people are asked (with --on-question exit), 1 any other end.`,
  flags: [
    { name: "after", takes: "<number>", description: "only events after this number" },
    onQuestionFlag,
    ...serviceFlags,
  ],
  positionals: ["workflow", "run"],
  examples: ["aos workflows watch refund wfr_01jd8x0000000000000000000a"],
};
export const { flags } = declared;

/** `aos workflows watch`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { argument, parsed, json } = given;
    const service = await serviceFor(given);
    const at = { workflow: argument(0), run: argument(1) };
    const lastEventId = lastOf(parsed, "after");
    const onReopen = (): unknown => terminal.stderr.write("Connection lost; reconnecting.\n");
    const write = (value: object, line: string): unknown =>
      terminal.stdout.write(`${json ? JSON.stringify(value) : line}\n`);
    const tell = (held: Held | null): unknown =>
      write({ type: "held", data: held }, held ? heldLines(held, terminal).join("\n") : "goes on");
    try {
      await whileHeld({ service, path: pathOfRun(at), tell, leaves: leavesOnQuestion(parsed) }, async (signal) => {
        for await (const event of storyOfRun(service, at, { lastEventId, onReopen, signal }))
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
  });
