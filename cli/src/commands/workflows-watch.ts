import { type Declared, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { exitOfRun, type RunShown, readRun, refusedStream, runEventLine, runLines, storyOfRun } from "../run-story.ts";
import { exits, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "workflows watch <workflow> <run> [options]",
  about: `Shows what happened in a run of a workflow, then what happens, step by step, until it has ended, and then its steps as a table.
Exit status: 0 completed, 2 cancelled, 1 any other end.`,
  flags: [{ name: "after", takes: "<number>", description: "only events after this number" }, ...serviceFlags],
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
    try {
      for await (const event of storyOfRun(service, at, { lastEventId, onReopen }))
        terminal.stdout.write(`${json ? JSON.stringify(event) : runEventLine(event, terminal)}\n`);
    } catch (error) {
      return refused(refusedStream(error), given, service.access.profile) ?? exits.failed;
    }
    const reply = await readRun(service, at);
    const failed = refused(reply, given, service.access.profile);
    if (failed !== null) return failed;
    const ended = reply.body as RunShown;
    if (!json) terminal.stdout.write(`\n${runLines(ended, terminal).join("\n")}\n`);
    return exitOfRun(ended.status);
  });
