import { randomUUID } from "node:crypto";
import { lineOf } from "../ask.ts";
import { type Declared, type Given, refused, runDeclared, serviceFlags, serviceFor } from "../call-command.ts";
import { catchUp, pathOf, say, type Talk } from "../chat-story.ts";
import { lastOf } from "../flags.ts";
import type { Reply, Service } from "../http.ts";
import { problemOf } from "../problems.ts";
import { refusedStream } from "../run-story.ts";
import { Cancelled, CommandError, exits, processTerminal, type Terminal } from "../terminal.ts";

const declared: Declared = {
  usage: "chat talk <agent> [message] [options]",
  about: `Talks with an agent in the terminal: its reply as it is written, sources, and what waits for people. Without a message you are asked for one
after the other; /person asks for a person, /stop ends what waits in line, and Ctrl-D ends the talk. The conversation stays: --conversation goes on with it.
Exit status of a single message: 0 answered, 2 stopped, 1 any other end.`,
  flags: [
    { name: "conversation", takes: "<id>", description: "goes on with this conversation" },
    { name: "user", takes: "<name>", description: "your own name of who writes" },
    { name: "language", takes: "<tag>", description: "the conversation's language, such as de" },
    ...serviceFlags,
  ],
  positionals: ["agent", "[message]"],
  examples: ['aos chat talk support "Where is order 4711?"', "aos chat talk support --user anna"],
};
export const { flags } = declared;

/** `aos chat talk`. Answers the exit status. */
export const run = (args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> =>
  runDeclared(declared, args, terminal, async (given) => {
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
    return message === "" ? await inTurns(talk, given) : await once(talk, given, message);
  });

interface Begun {
  readonly conversation_id: string;
  readonly sequence: number;
  readonly agent: string;
}

function conversationFor({ argument, parsed }: Given, service: Service): Promise<Reply> {
  const known = lastOf(parsed, "conversation");
  if (known !== undefined) return service.call("GET", pathOf(known));
  const [user, language] = [lastOf(parsed, "user"), lastOf(parsed, "language")];
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

async function inTurns(talk: Talk, given: Given): Promise<number> {
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
    // That a person was asked is told in the conversation.
    else if (command === "stop") terminal.stderr.write("Stopped.\n");
    else await catchUp(talk, (reply.body as { sequence: number }).sequence);
  }
}
