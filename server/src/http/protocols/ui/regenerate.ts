import type { Message, Sent } from "../../../features/chat/schemas.ts";
import { isId } from "../../../kernel/ids.ts";
import { type Exchange, headersOf, stepsOfSent } from "../exchange.ts";
import type { ServiceCalls } from "../service-calls.ts";

/** Has a reply made again: the one with this id of ours, or the latest. */
export async function regenerate(
  calls: ServiceCalls,
  conversation: string,
  named: string | null,
  idempotencyKey: string,
): Promise<Exchange> {
  const message = named !== null && isId(named, "msg") ? named : await latestReply(calls, conversation);
  const { output: sent, answer } = await calls.call<Sent>(
    "POST /v1/chat/conversations/{conversation}/messages/{message}/regenerate",
    { params: { conversation, message }, idempotencyKey },
  );
  const steps = await stepsOfSent(calls, conversation, sent);
  return { conversation, sent, headers: headersOf(answer, conversation, sent.task_id), steps };
}

async function latestReply(calls: ServiceCalls, conversation: string): Promise<string> {
  const { output } = await calls.call<{ data: Message[] }>("GET /v1/chat/conversations/{conversation}/messages", {
    params: { conversation },
    query: { order: "newest", role: "agent", limit: "1" },
  });
  return output.data[0]?.message_id ?? "none";
}
