import { operations } from "@aos/sdk/operations";
import type { AosCommand, Given } from "../command.ts";
import { leavesOnQuestion, PeopleAsked, whileHeld, writeHold } from "../holds.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { callOptions, valueOptions } from "../operations/options.ts";
import { addressOf, requestOf } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { progressOn } from "../output/progress.ts";
import { refused } from "../problems.ts";
import { exitOfTask, refusalOf, resultOf, storyOf, type TaskResult } from "../task-events.ts";
import { exits, now } from "../terminal.ts";

const operation = operations["agents.dispatchTask"];
const values = valueOptions(operation).filter((option) => option.name() !== "task");
export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Gives an agent a task: one of its skills, with the skill's input. --<name> <value> sets a field of the input;
--input takes it whole, as JSON, and -f the whole body from a file. --wait waits for the task to end and shows
its result; the exit status is then 0 completed, 2 cancelled, 1 any other end. If the task waits for people, it
shows what is asked and where, and waits; with --on-question exit it ends with status 3.`,
    )
    .addOptions([...values, ...callOptions(operation)])
    .serviceOptions()
    .openOptions()
    .examples(
      "aos tasks dispatch sales summarize_lead --lead-id ld_1001 --wait",
      "aos tasks dispatch sales qualify_lead --lead-id ld_1001 --require-approval",
    )
    .run(run);

async function run(given: Given): Promise<number> {
  const { argument, options } = given;
  const task = argument(1);
  const skill = task === "" ? [] : [["task", JSON.stringify(task)] as const];
  const asked = { ...given, fields: [...skill, ...(await asSkillSays(given, given.fields))] };
  const request = await requestOf(operation, asked, values);
  const service = await serviceFor(given);
  const reply = await service.call(request.method, addressOf(request), request.sending);
  const shown = { ...given, operation, service };
  if (!options.wait || options.dryRun || reply.status !== 202) return showReply(shown, reply);
  const { task_id } = reply.body as { task_id: string };
  const ended = await endOf(service, task_id, given);
  if (ended === null) return showReply(shown, await resultOf(service, task_id)) || exits.asked;
  return (
    refused(ended, given, service.access.profile) ??
    (showReply(shown, ended) || exitOfTask((ended.body as TaskResult).status))
  );
}

interface Defined {
  /** Of an agent: what works in the environment. */
  readonly deployment?: { readonly version: number } | null;
  readonly definition: {
    readonly skills?: readonly {
      readonly name: string;
      readonly input?: { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> };
    }[];
  };
}

/**
 * Fields of the input as the skill wants them, by the version that works there: what reads like a number or another JSON value stays text where the skill says that it
 * is one. Where the agent cannot be read, it is what it reads like.
 */
async function asSkillSays(given: Given, fields: Given["fields"]): Promise<Given["fields"]> {
  if (fields.every(([, value]) => typeof guessed(value) === "string")) return fields;
  const service = await serviceFor(given);
  const path = `/v1/agents/${encodeURIComponent(given.argument(0))}`;
  const read = async (from: string): Promise<Defined | null> => {
    const { status, body } = await service.call("GET", from);
    return status === 200 ? (body as Defined) : null;
  };
  const agent = await read(path);
  // The definition of an agent is its draft, which may be another by now.
  const atWork = agent?.deployment ? await read(`${path}/versions/${agent.deployment.version}`) : agent;
  const skills = atWork?.definition.skills ?? [];
  const properties = skills.find(({ name }) => name === given.argument(1))?.input?.properties ?? {};
  return fields.map(([name, value]) => [
    name,
    [properties[name]?.type].flat().join() === "string" ? JSON.stringify(value) : value,
  ]);
}

/** Follows a task to its end with a progress line. Returns null if people are asked and the command does not wait. */
async function endOf(service: Service, task: string, { terminal, options }: Given): Promise<Reply | null> {
  const progress = progressOn(terminal);
  const began = now();
  let latest = "dispatched";
  const tell = (): void => progress.say(`${task}  ${latest} … ${Math.round((now() - began) / 1000)} s`);
  const timer = setInterval(tell, 1000);
  if (!terminal.showsProgress)
    terminal.stderr.write(`${task} dispatched; waiting for it to end. Ctrl-C stops waiting; the task continues.\n`);
  try {
    const path = `/v1/tasks/${encodeURIComponent(task)}`;
    await whileHeld(
      { service, path, tell: writeHold(terminal, progress), leaves: leavesOnQuestion(options) },
      async (signal) => {
        for await (const { type } of storyOf(service, task, { signal })) {
          latest = type.replace(/^task\./, "").replaceAll("_", " ");
          tell();
        }
      },
    );
    return await resultOf(service, task);
  } catch (error) {
    if (error instanceof PeopleAsked) return null;
    return refusalOf(error);
  } finally {
    clearInterval(timer);
    progress.done();
  }
}
