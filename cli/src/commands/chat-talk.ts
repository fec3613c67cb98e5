import { randomUUID } from "node:crypto";
import { catchUp, pathOf, say, type Talk } from "../chat-events.ts";
import type { AosCommand, Given } from "../command.ts";
import { type Reply, type Service, serviceFor } from "../http.ts";
import { problemOf, refused } from "../problems.ts";
import { lineOf } from "../prompt.ts";
import { refusedStream } from "../run-events.ts";
import { Cancelled, CommandError, exits } from "../terminal.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Talks with an agent in the terminal: shows its reply as it is written, its sources, and what waits for people.
Without a message it asks for one after the other; /person asks for a person, /stop stops the reply and queued
messages, and Ctrl-D quits. --conversation continues a conversation. Exit status of a single message: 0
answered, 2 stopped, 1 any other end.`,
    )
    .option("--conversation <id>", "continues this conversation")
    .option("--user <name>", "your own name for the user")
    .option("--language <tag>", "the conversation's language, such as de")
    .serviceOptions()
    .examples('aos chat talk support "Where is order 4711?"', "aos chat talk support --user anna")
    .run(run);

async function run(given: Given): Promise<number> {
  const { terminal } = given;
  const message = given.argument(1);
  if (message === "" && terminal.canAsk !== true)
    throw new CommandError(
      `Standard input is not a terminal. Give the message: aos chat talk ${given.argument(0)} "…"`,
    );
  const service = await serviceFor(given);
  const begun = await conversationFor(given, service);
  const failed = refused(begun, given, service.access.profile);
  if (failed !== null) return failed;
  const { conversation_id: conversation, sequence, agent } = begun.body as Begun;
  if (agent !== given.argument(0)) terminal.stderr.write(`In this conversation it is ${agent} that answers.\n`);
  const talk: Talk = { service, conversation, terminal, json: given.json, sequence };
  return message === "" ? await converse(talk, given) : await once(talk, given, message);
}

interface Begun {
  readonly conversation_id: string;
  readonly sequence: number;
  readonly agent: string;
}

function conversationFor({ argument, options }: Given, service: Service): Promise<Reply> {
  const known = options.conversation;
  if (known !== undefined) return service.call("GET", pathOf(known));
  const [user, language] = [options.user, options.language];
  const json = { agent: argument(0), ...(user !== undefined && { user }), ...(language !== undefined && { language }) };
  return service.call("POST", "/v1/chat/conversations", { json, headers: { "Idempotency-Key": randomUUID() } });
}

async function once(talk: Talk, given: Given, message: string): Promise<number> {
  const status = await sayTo(talk, given, message);
  if (typeof status === "number") return status;
  if (status.state === "with_person")
    talk.terminal.stderr.write(
      `A person answers. Read it with: aos chat conversations messages list ${talk.conversation}\n`,
    );
  if (!talk.json)
    talk.terminal.stderr.write(`Go on with: aos chat talk ${given.argument(0)} --conversation ${talk.conversation}\n`);
  return status.state === "completed" ? exits.done : status.state === "stopped" ? exits.cancelled : exits.failed;
}

async function sayTo(talk: Talk, given: Given, text: string): Promise<number | { readonly state: string }> {
  const said = await say(talk, text).catch((error: unknown) => ({ refusal: refusedStream(error) }));
  if (!("refusal" in said)) return said;
  return refused(said.refusal, given, talk.service.access.profile) ?? exits.failed;
}

async function converse(talk: Talk, given: Given): Promise<number> {
  const { terminal, service, conversation } = talk;
  terminal.stderr.write(`${conversation}: Ctrl-D ends the talk.\n`);
  for (;;) {
    const line = await lineOf("> ", terminal).catch((error: unknown) => {
      if (error instanceof Cancelled) return null;
      throw error;
    });
    if (line === null) return exits.done;
    const text = line.trim();
    if (text === "") continue;
    const [, command, rest = ""] = /^\/(person|stop)\b\s*(.*)$/.exec(text) ?? [];
    if (command === undefined) {
      const status = await sayTo(talk, given, text);
      if (typeof status !== "number" && status.state === "with_person")
        terminal.stderr.write("A person answers. What they write is shown with your next message.\n");
      continue;
    }
    const [path, json] =
      command === "stop" ? ["stop", {}] : ["handoff", { to: "person", reason: rest || "The user asks for a person." }];
    const reply = await service.call("POST", `${pathOf(conversation)}/${path}`, { json });
    if (problemOf(reply) !== null) refused(reply, given, service.access.profile);
    // The conversation itself says that a person was asked.
    else if (command === "stop") terminal.stderr.write("Stopped.\n");
    else await catchUp(talk, (reply.body as { sequence: number }).sequence);
  }
}
