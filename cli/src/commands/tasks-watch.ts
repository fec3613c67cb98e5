import type { AosCommand, Given } from "../command.ts";
import { type Held, holdLines, leavesOnQuestion, onQuestionOption, PeopleAsked, whileHeld } from "../holds.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { refused } from "../problems.ts";
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
} from "../task-events.ts";
import { exits } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Shows the events of a task, past and new, until it has ended. A lost connection continues where it was. Holds,
such as an approval or a kill switch, are shown with the page where people can lift them. Exit status: 0
completed, 2 cancelled, 3 people are asked (with --on-question exit), 1 any other end.`,
    )
    .option("--after <number>", "only events after this number")
    .addOption(onQuestionOption())
    .serviceOptions()
    .examples("aos tasks watch tsk_01jd8x0000000000000000000a")
    .run(run);

async function run(given: Given): Promise<number> {
  const { argument, options, json, terminal } = given;
  const service = await serviceFor(given);
  const task = argument(0);
  const tell = (event: TaskEvent): unknown =>
    terminal.stdout.write(`${json ? JSON.stringify(event) : eventLine(event, terminal)}\n`);
  const onReopen = (): unknown => terminal.stderr.write("Connection lost; reconnecting.\n");
  const past = await pastOf(service, task, options.after);
  if (!Array.isArray(past)) return refused(past as Reply, given, service.access.profile) ?? exits.failed;
  past.forEach(tell);
  const lastEventId = String(past.at(-1)?.sequence ?? options.after ?? 0);
  const present = await resultOf(service, task);
  if (hasEnded(present)) {
    const rest = await pastOf(service, task, lastEventId); // it may have ended since
    if (Array.isArray(rest)) rest.forEach(tell);
    return exitOf(present, given, service);
  }
  const path = `/v1/tasks/${encodeURIComponent(task)}`;
  const onHold = (held: Held | null): unknown => terminal.stdout.write(`${heldText(held, given)}\n`);
  try {
    await whileHeld({ service, path, tell: onHold, leaves: leavesOnQuestion(options) }, async (signal) => {
      for await (const event of storyOf(service, task, { lastEventId, onReopen, signal })) tell(event);
    });
  } catch (error) {
    if (error instanceof PeopleAsked) return exits.asked;
    return refused(refusalOf(error), given, service.access.profile) ?? exits.failed;
  }
  return exitOf(await resultOf(service, task), given, service);
}

const heldText = (held: Held | null, { json, terminal }: Given): string =>
  json ? JSON.stringify({ type: "held", data: held }) : held ? holdLines(held, terminal).join("\n") : "goes on";

const exitOf = (reply: Reply, given: Given, service: Service): number =>
  refused(reply, given, service.access.profile) ?? exitOfTask((reply.body as TaskResult).status);
