import type { Answer } from "../../../pipeline/call.ts";
import {
  brokenOff,
  dataLine,
  eventAnswer,
  type ProtocolRequest,
  pingLine,
  readInput,
  sendMessage,
  startConversation,
} from "../exchange.ts";
import { lastMessage, nameFaults, objectOf, unfit } from "../last-message.ts";
import { ignoredHeader, judgeParameters, type ParameterRule } from "../parameters.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { RunEvents } from "./events.ts";

interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly text: string;
  readonly context: readonly unknown[];
  readonly ignored: readonly string[];
}

const noTools = "is refused: the agent has the tools of its version, and clients bring none; leave it out";

/** Members of RunAgentInput (AG-UI 1.0). */
const members: Readonly<Record<string, ParameterRule>> = {
  threadId: "taken",
  runId: "taken",
  messages: "taken",
  context: "taken",
  protocolVersion: "taken",
  parentRunId: "taken",
  state: "ignored",
  forwardedProps: "ignored",
  tools: { only: [[]], why: noTools },
  resume: {
    only: [[]],
    why: "is refused: people decide approvals in the portal, and a question is answered by the next message",
  },
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** Reads what `HttpAgent` sends. Throws what is wrong with it. */
export function readRunInput(sent: unknown): RunInput {
  const body = objectOf(sent);
  const { ignored, faults } = judgeParameters(body, members);
  const { threadId, runId, messages, context } = body;
  const last = lastMessage(messages);
  const all = [...faults, ...nameFaults(threadId, "/threadId"), ...nameFaults(runId, "/runId"), ...last.faults];
  if (all.length > 0) throw unfit(all);
  return {
    threadId: threadId as string,
    runId: runId as string,
    text: last.text,
    context: Array.isArray(context) ? context : [],
    ignored: ignored.filter((name) => !isEmpty(body[name])),
  };
}

/** POST /v1/chat/ag-ui/{agent} */
export async function runAgent(request: ProtocolRequest): Promise<Answer> {
  const { calls, params } = request;
  const { threadId, runId, text, context, ignored } = await readInput(request, readRunInput);
  // A run that is sent again joins its first call.
  const key = calls.idempotencyKey ?? calls.keyOf("run", threadId, runId);
  const told = context.length > 0 ? { context: { client_says: context } } : {};
  const body = { agent: params.agent, external_key: threadId, ...told };
  const { conversation_id: conversation } = await startConversation(calls, body, key);
  const { sent, steps, headers } = await sendMessage(calls, conversation, { text }, key);
  const events = new RunEvents({ threadId, runId, conversation }, sent.reply_id);
  return eventAnswer(linesOf(events, steps), { ...headers, ...ignoredHeader(ignored) });
}

async function* linesOf(events: RunEvents, steps: AsyncIterable<ReplyStep>): AsyncGenerator<string> {
  for (const event of events.start()) yield dataLine(event);
  for await (const step of steps) {
    if (step.kind === "ping") yield pingLine;
    for (const event of events.take(step)) yield dataLine(event);
    if (step.kind === "ended") return;
  }
  yield dataLine({ type: "RUN_ERROR", message: brokenOff, code: "stream_ended" });
}
