import { timeOfId } from "../../../kernel/ids.ts";
import { type Exchange, idempotencyOf, type ProtocolRequest, sendMessage, startConversation } from "../exchange.ts";
import { ignoredHeader } from "../parameters.ts";
import type { ServiceCalls } from "../service-calls.ts";
import type { OpenAiInput } from "./input.ts";
import { agentOfModel } from "./model.ts";
import { goOnWith } from "./results.ts";

/** Sends what a caller of either interface says, in the conversation that it names or in a new one with the caller's history. */
export async function beginExchange(
  request: ProtocolRequest,
  input: OpenAiInput,
  conversation: string | null = input.conversation,
): Promise<Exchange> {
  const { calls } = request;
  const key = idempotencyOf(request);
  const agent = await agentOfModel(calls, input.model);
  if (input.messages.results.length > 0) return goOnWith(request, input, conversation, key);
  const id = conversation ?? (await startNew(calls, input, agent, key));
  const files = await addImages(calls, id, input.messages.images, key);
  const options = { ...input.options, ...(files.length > 0 && { images: true }) };
  const wanted = { ...(files.length > 0 && { files }), ...(Object.keys(options).length > 0 && { options }) };
  const exchange = await sendMessage(calls, id, { text: input.messages.text, ...wanted }, key);
  return { ...exchange, headers: { ...exchange.headers, ...ignoredHeader(input.ignored) } };
}

/** Keeps images as files of the conversation, which go with it. */
async function addImages(calls: ServiceCalls, id: string, images: readonly string[], key: string): Promise<string[]> {
  const files: string[] = [];
  for (const [at, image] of images.entries()) {
    const { output } = await calls.call<{ file_id: string }>("POST /v1/chat/conversations/{conversation}/files", {
      params: { conversation: id },
      body: { name: `image-${at + 1}`, image },
      idempotencyKey: `${key}-image-${at + 1}`,
    });
    files.push(output.file_id);
  }
  return files;
}

async function startNew(
  calls: ServiceCalls,
  { messages: { history, system }, user }: OpenAiInput,
  agent: string,
  key: string,
): Promise<string> {
  const body = {
    agent,
    ...(user === null ? {} : { user }),
    ...(history.length > 0 ? { history } : {}),
    ...(system === null ? {} : { context: { caller_says: system } }),
  };
  return (await startConversation(calls, body, key)).conversation_id;
}

/** When an object with an id of ours was made, in seconds since 1970. */
export const secondsOf = (id: string): number => Math.floor((timeOfId(id) ?? 0) / 1000);
