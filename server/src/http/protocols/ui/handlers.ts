import type { Conversation } from "../../../features/chat/schemas.ts";
import type { Answer } from "../../../pipeline/call.ts";
import {
  brokenOff,
  dataLine,
  eventAnswer,
  headersOf,
  idempotencyOf,
  type ProtocolRequest,
  pingLine,
  readInput,
  sendMessage,
  startConversation,
} from "../exchange.ts";
import { followReply } from "../follow-reply.ts";
import { lastMessage, nameFaults, objectOf, unfit } from "../last-message.ts";
import { ignoredHeader } from "../parameters.ts";
import type { ReplyStep } from "../reply-steps.ts";
import { UiChunks } from "./chunks.ts";
import { regenerate } from "./regenerate.ts";
import { writtenReply } from "./written-reply.ts";

interface UiInput {
  readonly id: string;
  readonly user: string | null;
  /** Null: the latest reply is to be made again. */
  readonly text: string | null;
  /** The client's id of the message; of one to be made again, ours. */
  readonly message: string | null;
  readonly ignored: readonly string[];
}

const known = new Set(["id", "messages", "trigger", "messageId", "user"]);

/** Reads what `DefaultChatTransport` sends. Throws what is wrong with it. */
export function readUiInput(sent: unknown): UiInput {
  const body = objectOf(sent);
  const { id, messages, trigger = "submit-message", messageId = null, user = null } = body;
  const again = trigger === "regenerate-message";
  const last = again ? { text: null, id: messageId, faults: [] } : lastMessage(messages);
  const faults = [...nameFaults(id, "/id"), ...(user === null ? [] : nameFaults(user, "/user")), ...last.faults];
  if (!again && trigger !== "submit-message")
    faults.push({
      pointer: "/trigger",
      code: "unsupported_value",
      detail: "takes submit-message or regenerate-message",
    });
  if (!again && messageId !== null)
    faults.push({
      pointer: "/messageId",
      code: "unsupported_parameter",
      detail: "is refused: messages that were sent stay as they are; send a new one",
    });
  if (faults.length > 0) throw unfit(faults);
  return {
    id: id as string,
    user: user as string | null,
    text: last.text,
    message: last.id as string | null,
    ignored: Object.keys(body).filter((name) => !known.has(name) && /^\w{1,64}$/.test(name)),
  };
}

/** POST /v1/chat/ui/{agent} */
export async function streamUiMessage(request: ProtocolRequest): Promise<Answer> {
  const { calls, params } = request;
  const input = await readInput(request, readUiInput);
  const key = keyOf(request, input);
  const user = input.user === null ? {} : { user: input.user };
  const { conversation_id: conversation } = await startConversation(
    calls,
    { agent: params.agent, external_key: input.id, ...user },
    key,
  );
  const exchange =
    input.text === null
      ? await regenerate(calls, conversation, input.message, key)
      : await sendMessage(calls, conversation, { text: input.text }, key);
  const chunks = new UiChunks(conversation, exchange.sent.reply_id);
  return uiAnswer(chunks, exchange.steps, { ...exchange.headers, ...ignoredHeader(input.ignored) });
}

/** A message that is sent again with the id that its client gave it joins its first call. */
function keyOf(request: ProtocolRequest, { id, message, text }: UiInput): string {
  if (message === null || text === null) return idempotencyOf(request);
  return request.calls.idempotencyKey ?? request.calls.keyOf("ui", id, message);
}

function uiAnswer(chunks: UiChunks, steps: AsyncIterable<ReplyStep>, headers: Record<string, string>): Answer {
  return eventAnswer(linesOf(chunks, steps), { ...headers, "X-Vercel-AI-UI-Message-Stream": "v1" });
}

async function* linesOf(chunks: UiChunks, steps: AsyncIterable<ReplyStep>): AsyncGenerator<string> {
  for (const chunk of chunks.start()) yield dataLine(chunk);
  for await (const step of steps) {
    if (step.kind === "ping") yield pingLine;
    for (const chunk of chunks.take(step)) yield dataLine(chunk);
    if (step.kind !== "ended") continue;
    yield "data: [DONE]\n\n";
    return;
  }
  yield dataLine({ type: "error", errorText: brokenOff });
}

/** GET /v1/chat/ui/{agent}/{id}/stream: the reply that is being written, from its beginning; 204 where there is none. */
export async function resumeUiStream({ calls, params }: ProtocolRequest): Promise<Answer> {
  const { agent = "", id = "" } = params;
  const found = await calls.call<{ data: Conversation[] }>("GET /v1/chat/conversations", {
    query: { agent, external_key: id, limit: "1" },
  });
  const [conversation] = found.output.data;
  const headers = headersOf(found.answer, conversation?.conversation_id ?? null);
  const reply = conversation?.busy ? await writtenReply(calls, conversation.conversation_id) : null;
  if (!conversation || !reply) return { status: 204, contentType: "text/event-stream", body: "", headers };
  const { conversation_id } = conversation;
  const followed = { conversation: conversation_id, turn: reply.turn, reply: reply.message?.message_id ?? null };
  const steps = await followReply(calls, { ...followed, after: reply.sequence }, reply.message);
  return uiAnswer(new UiChunks(conversation_id, followed.reply), steps, headers);
}
