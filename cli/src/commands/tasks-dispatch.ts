import { operations } from "@aos/sdk/operations";
import { type Declared, type Given, refused, runDeclared, serviceFor } from "../call-command.ts";
import { isSet, type Parsed } from "../flags.ts";
import { leavesOnQuestion, PeopleAsked, sayHeld, whileHeld } from "../held.ts";
import type { Reply, Service } from "../http.ts";
import { callFlags, valueFlags } from "../operations/options.ts";
import { addressOf, requestOf } from "../operations/request.ts";
import { showReply } from "../operations/show.ts";
import { guessed } from "../operations/values.ts";
import { progressOn } from "../output/progress.ts";
import { exitOfTask, refusalOf, resultOf, storyOf, type TaskResult } from "../task-story.ts";
import { exits, now, processTerminal, type Terminal } from "../terminal.ts";

const operation = operations["agents.dispatchTask"];
const values = valueFlags(operation).filter(({ name }) => name !== "task");
const declared: Declared = {
  usage: "tasks dispatch <agent> <task> [options]",
  about: `Gives an agent a task: one of its skills, with the skill's input. --<name> <value> sets a field of the input; --input takes it whole, as
JSON, and -f the whole body from a file. With --wait the result is shown when the task has ended, and the exit status says how:
0 completed, 2 cancelled, 1 any other end. Where the task waits for people, it shows what is asked and where, and waits; --on-question exit ends with 3
instead.`,
  flags: [
    ...values,
    ...callFlags(operation).map((flag) =>
      flag.name === "wait" ? { ...flag, description: "waits for the task to end and shows its result" } : flag,
    ),
  ],
  positionals: ["agent", "[task]"],
  open: true,
  examples: [
    "aos tasks dispatch sales summarize_lead --lead-id ld_1001 --wait",
    "aos tasks dispatch sales qualify_lead --lead-id ld_1001 --require-approval",
  ],
};
export const { flags } = declared;

/** `aos tasks dispatch`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
    const { argument, parsed } = given;
    const task = argument(1);
    const asked = {
      ...parsed,
      positionals: [argument(0)],
      others: [
        ...(task === "" ? [] : [["task", JSON.stringify(task)] as const]),
        ...(await asSkillSays(given, parsed.others)),
      ],
    };
    const request = await requestOf(operation, asked, values, terminal, `Usage: aos ${declared.usage}`);
    const service = await serviceFor(given);
    const reply = await service.call(request.method, addressOf(request), request.sending);
    const shown = { operation, parsed, service, terminal };
    if (!isSet(parsed, "wait") || isSet(parsed, "dry-run") || reply.status !== 202) return showReply(shown, reply);
    const { task_id } = reply.body as { task_id: string };
    const ended = await endOf(service, task_id, given);
    if (ended === null) return showReply(shown, await resultOf(service, task_id)) || exits.asked;
    return (
      refused(ended, given, service.access.profile) ??
      (showReply(shown, ended) || exitOfTask((ended.body as TaskResult).status))
    );
  });

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
async function asSkillSays(given: Given, fields: Parsed["others"]): Promise<Parsed["others"]> {
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

/** Follows a task to its end, with a line that says where it is. Answers its result; null: people are asked, and nobody waits for them. */
async function endOf(service: Service, task: string, { terminal, parsed }: Given): Promise<Reply | null> {
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
      { service, path, tell: sayHeld(terminal, progress), leaves: leavesOnQuestion(parsed) },
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
