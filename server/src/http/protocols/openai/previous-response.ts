import type { Message } from "../../../features/chat/schemas.ts";
import type { ProtocolRequest } from "../exchange.ts";
import type { ServiceCalls } from "../service-calls.ts";
import type { OpenAiInput } from "./input.ts";
import { partsOfResponseId } from "./response-id.ts";

const messagesAddress = "GET /v1/chat/conversations/{conversation}/messages";

interface Page {
  readonly data: readonly Message[];
  readonly next_cursor: string | null;
}

/** The reply of a turn; null: it has not begun, or there is no such turn. */
export async function replyOfTurn(calls: ServiceCalls, conversation: string, turn: string): Promise<Message | null> {
  let cursor: string | null = null;
  do {
    const query = { role: "agent", limit: "100", ...(cursor === null ? {} : { cursor }) };
    const page: { output: Page } = await calls.call(messagesAddress, { params: { conversation }, query });
    const found = page.output.data.find(({ turn_id }) => turn_id === turn);
    if (found) return found;
    cursor = page.output.next_cursor;
  } while (cursor !== null);
  return null;
}

/**
 * The conversation in which an input goes on. A response that is not the latest of its conversation is answered in a branch of it, since only what came
 * before it may count.
 */
export async function branchOf({ calls }: ProtocolRequest, input: OpenAiInput): Promise<string | null> {
  const previous = input.previousResponse === null ? null : partsOfResponseId(input.previousResponse);
  if (previous === null) return input.conversation;
  const { conversation, turn } = previous;
  const reply = await replyOfTurn(calls, conversation, turn);
  if (reply === null) return conversation;
  const { output: later } = await calls.call<Page>(messagesAddress, {
    params: { conversation },
    query: { order: "oldest", after: String(reply.number), role: "user", limit: "1" },
  });
  if (later.data.length === 0) return conversation;
  const { output: branch } = await calls.call<{ conversation_id: string }>(
    "POST /v1/chat/conversations/{conversation}/fork",
    { params: { conversation }, body: { message_id: reply.message_id } },
  );
  return branch.conversation_id;
}
