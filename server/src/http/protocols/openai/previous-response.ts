import type { Message } from "../../../features/chat/schemas.ts";
import type { ProtocolRequest } from "../exchange.ts";
import type { OpenAiInput } from "./input.ts";
import { answeredBy } from "./response-id.ts";

/**
 * The conversation in which an input goes on. A response that is not the latest of its conversation is answered in a branch of it, since only what came
 * before it may count.
 */
export async function branchOf({ calls }: ProtocolRequest, input: OpenAiInput): Promise<string | null> {
  const previous = input.previousResponse === null ? null : answeredBy(input.previousResponse);
  if (previous === null) return input.conversation;
  const { conversation } = previous;
  const { output: answered } = await calls.call<Message>(
    "GET /v1/chat/conversations/{conversation}/messages/{message}",
    {
      params: previous,
    },
  );
  const { output: later } = await calls.call<{ data: Message[] }>(
    "GET /v1/chat/conversations/{conversation}/messages",
    { params: { conversation }, query: { order: "oldest", after: String(answered.number), limit: "100" } },
  );
  const next = later.data.findIndex(({ role }) => role === "user");
  if (next < 0) return conversation;
  const last = later.data.slice(0, next).findLast(({ role }) => role === "agent") ?? answered;
  const { output: branch } = await calls.call<{ conversation_id: string }>(
    "POST /v1/chat/conversations/{conversation}/fork",
    { params: { conversation }, body: { message_id: last.message_id } },
  );
  return branch.conversation_id;
}
