import type { Answer } from "../../../pipeline/call.ts";
import {
  brokenOff,
  dataLine,
  type Ended,
  type Exchange,
  endOf,
  eventAnswer,
  jsonAnswer,
  type ProtocolRequest,
  pingLine,
  readInput,
} from "../exchange.ts";
import { textOfReply } from "../said.ts";
import type { ServiceCalls } from "../service-calls.ts";
import { beginExchange, secondsOf } from "./begin.ts";
import { CompletionChunks, type CompletionHead, completionOf, failureError } from "./completion.ts";
import { type OpenAiInput, readCompletionInput } from "./input.ts";
import { type Usage, usageOf } from "./usage.ts";

/** POST /v1/chat/completions */
export async function createCompletion(request: ProtocolRequest): Promise<Answer> {
  const input = await readInput(request, readCompletionInput);
  const exchange = await beginExchange(request, input);
  const { message_id: message, state, audit_ref } = exchange.sent;
  // Each completion that a reply takes has an id of its own.
  const id = state === "answered" ? audit_ref : message;
  const head = { id: `chatcmpl-${id.slice(id.indexOf("_") + 1)}`, created: secondsOf(id), model: input.model };
  if (input.stream) return eventAnswer(chunksOf(request.calls, head, exchange, input), exchange.headers);
  const ended = await endOf(exchange.steps);
  const failure = ended ? failureError(ended) : streamEnded;
  if (failure || !ended) return failed(failure ?? streamEnded, exchange);
  const usage = await usageOfEnd(request.calls, ended, exchange);
  return jsonAnswer(
    completionOf({ ...head, conversation: exchange.conversation }, ended, usage, metadataOf(exchange, ended)),
    exchange.headers,
  );
}

/** An answer that the client must not ask for again: its retry would join this very reply. */
export const failed = (error: object, { headers }: Exchange): Answer =>
  jsonAnswer(error, { ...headers, "X-Should-Retry": "false" }, 502);

export const streamEnded = {
  error: { message: brokenOff, type: "server_error", param: null, code: "stream_ended" },
};

export const usageOfEnd = (
  calls: ServiceCalls,
  { turn, message }: Ended,
  { tokensBefore = 0 }: Pick<Exchange, "tokensBefore">,
): Promise<Usage | null> => usageOf(calls, turn.task_id, textOfReply(message), tokensBefore);

const metadataOf = ({ conversation }: Exchange, { turn }: Ended): object => ({
  conversation,
  ...(turn.task_id === null ? {} : { task: turn.task_id }),
});

async function* chunksOf(
  calls: ServiceCalls,
  head: CompletionHead,
  exchange: Exchange,
  { includeUsage }: OpenAiInput,
): AsyncGenerator<string> {
  const chunks = new CompletionChunks(head, exchange.conversation, includeUsage);
  yield dataLine(chunks.start());
  for await (const step of exchange.steps) {
    if (step.kind === "ping") yield pingLine;
    for (const chunk of chunks.take(step)) yield dataLine(chunk);
    if (step.kind !== "ended") continue;
    const usage = includeUsage ? await usageOfEnd(calls, step, exchange) : null;
    if (usage) yield dataLine(chunks.usage(usage));
    yield "data: [DONE]\n\n";
    return;
  }
  yield dataLine(streamEnded);
}
