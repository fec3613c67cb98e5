import { type Declared, type Given, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { lastOf } from "../flags.ts";
import { type Held, heldLines, leavesOnQuestion, onQuestionFlag, PeopleAsked, whileHeld } from "../held.ts";
import type { Reply, Service } from "../http.ts";
import {
  eventLine,
  exitOfTask,
  hasEnded,
  pastOf,
  refusalOf,
  resultOf,
  storyOf,
  type TaskEvent,
  type TaskResult,
} from "../task-story.ts";
import { exits, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "tasks watch <task> [options]",
  about: `Shows what happened to a task, then what happens, until it has ended. A connection that breaks is taken up again where it was.
What holds it, such as an approval or a kill switch, is shown with the page where people see to it.
Exit status: 0 completed, 2 cancelled, 3 people are asked (with --on-question exit), 1 any other end.`,
  flags: [
    { name: "after", takes: "<number>", description: "only events after this number" },
    onQuestionFlag,
    ...serviceFlags,
  ],
  positionals: ["task"],
  examples: ["aos tasks watch tsk_01jd8x0000000000000000000a"],
};
export const { flags } = declared;

/** `aos tasks watch`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { argument, parsed, json } = given;
    const service = await serviceFor(given);
    const task = argument(0);
    const tell = (event: TaskEvent): unknown =>
      terminal.stdout.write(`${json ? JSON.stringify(event) : eventLine(event, terminal)}\n`);
    const onReopen = (): unknown => terminal.stderr.write("Connection lost; reconnecting.\n");
    const past = await pastOf(service, task, lastOf(parsed, "after"));
    if (!Array.isArray(past)) return refused(past as Reply, given, service.access.profile) ?? exits.failed;
    past.forEach(tell);
    const lastEventId = String(past.at(-1)?.sequence ?? lastOf(parsed, "after") ?? 0);
    const present = await resultOf(service, task);
    if (hasEnded(present)) {
      const rest = await pastOf(service, task, lastEventId); // it may have ended since
      if (Array.isArray(rest)) rest.forEach(tell);
      return exitOf(present, given, service);
    }
    const path = `/v1/tasks/${encodeURIComponent(task)}`;
    const onHold = (held: Held | null): unknown => terminal.stdout.write(`${heldText(held, given)}\n`);
    try {
      await whileHeld({ service, path, tell: onHold, leaves: leavesOnQuestion(parsed) }, async (signal) => {
        for await (const event of storyOf(service, task, { lastEventId, onReopen, signal })) tell(event);
      });
    } catch (error) {
      if (error instanceof PeopleAsked) return exits.asked;
      return refused(refusalOf(error), given, service.access.profile) ?? exits.failed;
    }
    return exitOf(await resultOf(service, task), given, service);
  });

const heldText = (held: Held | null, { json, terminal }: Given): string =>
  json ? JSON.stringify({ type: "held", data: held }) : held ? heldLines(held, terminal).join("\n") : "goes on";

const exitOf = (reply: Reply, given: Given, service: Service): number =>
  refused(reply, given, service.access.profile) ?? exitOfTask((reply.body as TaskResult).status);
