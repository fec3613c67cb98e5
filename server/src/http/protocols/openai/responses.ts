import type { Conversation, Message, Turn } from "../../../features/chat/schemas.ts";
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
import { partsOf } from "../said.ts";
import type { ServiceCalls } from "../service-calls.ts";
import { beginExchange, secondsOf } from "./begin.ts";
import { failed, streamEnded, usageOfEnd } from "./completions.ts";
import { type OpenAiInput, readResponseInput } from "./input.ts";
import { branchOf, replyOfTurn } from "./previous-response.ts";
import { ResponseEvents, type ResponseHead } from "./response.ts";
import { partsOfResponseId, responseId } from "./response-id.ts";

/** POST /v1/responses */
export async function createResponse(request: ProtocolRequest): Promise<Answer> {
  const input = await readInput(request, readResponseInput);
  const exchange = await beginExchange(request, input, await placeOf(request, input));
  const events = new ResponseEvents(headOf(exchange, input));
  if (input.stream) return eventAnswer(linesOf(request.calls, events, exchange), exchange.headers);
  if (input.background)
    return jsonAnswer(events.response(exchange.sent.state === "running" ? "in_progress" : "queued"), exchange.headers);
  const ended = await endOf(exchange.steps, (step) => events.take(step));
  if (!ended) return failed(streamEnded, exchange);
  return jsonAnswer(events.ended(ended, await usageOfEnd(request.calls, ended, exchange)), exchange.headers);
}

/** Results go on where their calls were made. */
const placeOf = (request: ProtocolRequest, input: OpenAiInput): Promise<string | null> | string | null =>
  input.messages.results.length > 0 ? input.conversation : branchOf(request, input);

const headOf = ({ conversation, sent }: Exchange, input: OpenAiInput): ResponseHead => ({
  ...{
    id: responseId(conversation, sent.turn_id ?? sent.message_id),
    created_at: secondsOf(sent.message_id),
    model: input.model,
  },
  conversation,
  previous_response_id: input.previousResponse,
  background: input.background,
  user: input.user,
  metadata: input.metadata,
});

async function* linesOf(calls: ServiceCalls, events: ResponseEvents, exchange: Exchange): AsyncGenerator<string> {
  for (const event of events.start()) yield lineOf(event);
  for await (const step of exchange.steps) {
    if (step.kind === "ping") yield pingLine;
    for (const event of events.take(step)) yield lineOf(event);
    if (step.kind !== "ended") continue;
    yield lineOf(events.finish(step, await usageOfEnd(calls, step, exchange)));
    return;
  }
  yield lineOf({ ...streamEnded.error, type: "error", sequence_number: 0 });
}

const lineOf = (event: object): string =>
  `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;

/** GET /v1/responses/{response}: the reply as it stands now. */
export async function readResponse({ calls, params }: ProtocolRequest): Promise<Answer> {
  const id = params.response ?? "";
  const { conversation, turn } = partsOfResponseId(id) ?? (await calls.refuse(startAddress, {}, unknownResponse(id)));
  const found = await calls.call<Conversation>("GET /v1/chat/conversations/{conversation}", {
    params: { conversation },
  });
  const reply = await replyOfTurn(calls, conversation, turn);
  const head = { model: found.output.agent, conversation, turn };
  return jsonAnswer(storedResponse(id, head, reply), headersOf(found.answer, conversation, reply?.task_id));
}

/** POST /v1/responses/{response}/cancel: stops what the conversation is answering, and returns the reply as it stands then. */
export async function cancelResponse(request: ProtocolRequest): Promise<Answer> {
  const { calls, params } = request;
  const id = params.response ?? "";
  const { conversation } = partsOfResponseId(id) ?? (await calls.refuse(startAddress, {}, unknownResponse(id)));
  await calls.call("POST /v1/chat/conversations/{conversation}/stop", { params: { conversation } });
  return readResponse(request);
}

const unknownResponse = (id: string) =>
  refuse(notFound, `There is no response ${id.slice(0, 80)} in this environment.`);

const turnStates: Readonly<Record<Message["status"], Turn["state"]>> = {
  queued: "queued",
  streaming: "running",
  waiting: "awaiting_approval",
  complete: "completed",
  stopped: "stopped",
  failed: "failed",
  retracted: "stopped",
};

function storedResponse(
  id: string,
  {
    model,
    conversation,
    turn: turn_id,
  }: { readonly model: string; readonly conversation: string; readonly turn: string },
  reply: Message | null,
): object {
  const events = new ResponseEvents({
    id,
    created_at: secondsOf(turn_id),
    conversation,
    model,
    user: null,
    previous_response_id: null,
    background: false,
    metadata: {},
  });
  const turn: Turn = {
    turn_id,
    message_id: "",
    reply_id: reply?.message_id ?? null,
    task_id: reply?.task_id ?? null,
    state: reply ? stateOf(reply) : "queued",
    failure: null,
  };
  const tracker = new ReplyTracker(turn_id, null);
  const steps = reply ? tracker.take({ type: "chat.message.created", data: { message: reply } }) : [];
  const ended: Ended = { kind: "ended", turn, message: reply };
  for (const step of [...steps, ended]) events.take(step);
  return events.ended(ended, null);
}

/** A reply that waits without an approval waits for the user. */
const stateOf = (reply: Message): Turn["state"] =>
  reply.status === "waiting" && !partsOf(reply, "approval").some(({ state }) => state === "pending")
    ? "input_required"
    : turnStates[reply.status];
