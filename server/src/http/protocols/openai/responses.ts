import type { Message, Turn } from "../../../features/chat/schemas.ts";
import { refuse } from "../../../kernel/errors.ts";
import { notFound } from "../../../kernel/problems.ts";
import type { Answer } from "../../../pipeline/call.ts";
import {
  type Ended,
  type Exchange,
  endOf,
  eventAnswer,
  headersOf,
  jsonAnswer,
  type ProtocolRequest,
  pingLine,
  readInput,
  startAddress,
} from "../exchange.ts";
import { ReplyTracker } from "../reply-steps.ts";
import type { ServiceCalls } from "../service-calls.ts";
import { beginExchange, secondsOf } from "./begin.ts";
import { failed, streamEnded, usageOfEnd } from "./completions.ts";
import { type OpenAiInput, readResponseInput } from "./input.ts";
import { branchOf } from "./previous-response.ts";
import { ResponseEvents, type ResponseHead } from "./response.ts";
import { answeredBy, responseId } from "./response-id.ts";

/** POST /v1/responses */
export async function createResponse(request: ProtocolRequest): Promise<Answer> {
  const input = await readInput(request, readResponseInput);
  const exchange = await beginExchange(request, input, await branchOf(request, input));
  const events = new ResponseEvents(headOf(exchange, input));
  if (input.stream) return eventAnswer(linesOf(request.calls, events, exchange), exchange.headers);
  if (input.background)
    return jsonAnswer(events.response(exchange.sent.state === "running" ? "in_progress" : "queued"), exchange.headers);
  const ended = await endOf(exchange.steps, (step) => events.take(step));
  if (!ended) return failed(streamEnded, exchange);
  return jsonAnswer(events.ended(ended, await usageOfEnd(request.calls, ended)), exchange.headers);
}

const headOf = ({ conversation, sent }: Exchange, input: OpenAiInput): ResponseHead => ({
  ...{ id: responseId(conversation, sent.message_id), created_at: secondsOf(sent.message_id), model: input.model },
  ...{ conversation, previous_response_id: input.previousResponse, background: input.background },
  ...{ user: input.user, metadata: input.metadata },
});

async function* linesOf(calls: ServiceCalls, events: ResponseEvents, { steps }: Exchange): AsyncGenerator<string> {
  for (const event of events.start()) yield lineOf(event);
  for await (const step of steps) {
    if (step.kind === "ping") yield pingLine;
    for (const event of events.take(step)) yield lineOf(event);
    if (step.kind !== "ended") continue;
    yield lineOf(events.finish(step, await usageOfEnd(calls, step)));
    return;
  }
  yield lineOf({ ...streamEnded.error, type: "error", sequence_number: 0 });
}

const lineOf = (event: object): string =>
  `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;

/** GET /v1/responses/{response}: the reply as it stands now. */
export async function readResponse({ calls, params }: ProtocolRequest): Promise<Answer> {
  const id = params.response ?? "";
  const asked = answeredBy(id) ?? (await calls.refuse(startAddress, {}, unknownResponse(id)));
  const { output: message, answer } = await calls.call<Message>(
    "GET /v1/chat/conversations/{conversation}/messages/{message}",
    { params: asked },
  );
  const reply = await replyTo(calls, message);
  return jsonAnswer(storedResponse(id, message, reply), headersOf(answer, asked.conversation, reply?.task_id));
}

/** POST /v1/responses/{response}/cancel: stops what the conversation is answering, and returns the reply as it stands then. */
export async function cancelResponse(request: ProtocolRequest): Promise<Answer> {
  const { calls, params } = request;
  const id = params.response ?? "";
  const { conversation } = answeredBy(id) ?? (await calls.refuse(startAddress, {}, unknownResponse(id)));
  await calls.call("POST /v1/chat/conversations/{conversation}/stop", { params: { conversation } });
  return readResponse(request);
}

const unknownResponse = (id: string) =>
  refuse(notFound, `There is no response ${id.slice(0, 80)} in this environment.`);

/** The latest reply to a message of the user. */
async function replyTo(calls: ServiceCalls, message: Message): Promise<Message | null> {
  const { output } = await calls.call<{ data: Message[] }>("GET /v1/chat/conversations/{conversation}/messages", {
    params: { conversation: message.conversation_id },
    query: { order: "oldest", after: String(message.number), role: "agent", limit: "25" },
  });
  const own = output.data.filter(({ turn_id }) => message.turn_id === null || turn_id === message.turn_id);
  return own.findLast(({ replaced_by }) => replaced_by === null) ?? null;
}

const turnStates: Readonly<Record<Message["status"], Turn["state"]>> = {
  ...{ queued: "queued", streaming: "running", waiting: "awaiting_approval" },
  ...{ complete: "completed", stopped: "stopped", failed: "failed", retracted: "stopped" },
};

function storedResponse(id: string, message: Message, reply: Message | null): object {
  const events = new ResponseEvents({
    ...{ id, created_at: secondsOf(message.message_id), conversation: message.conversation_id, user: null },
    ...{ model: reply?.author.id ?? "", previous_response_id: null, background: false, metadata: {} },
  });
  const turn: Turn = {
    ...{ turn_id: reply?.turn_id ?? message.turn_id ?? "", message_id: message.message_id },
    ...{ state: reply ? turnStates[reply.status] : "queued", task_id: reply?.task_id ?? null, failure: null },
    reply_id: reply?.message_id ?? null,
  };
  if (reply) {
    const tracker = new ReplyTracker(turn.turn_id, turn.reply_id);
    for (const step of tracker.take({ type: "chat.message.created", data: { message: reply } })) events.take(step);
  }
  const ended: Ended = { kind: "ended", turn, message: reply };
  for (const _event of events.take(ended));
  return events.ended(ended, null);
}
