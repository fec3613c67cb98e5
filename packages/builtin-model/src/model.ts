import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { smallTalkIn } from "@aos/user-texts";
import { type Answer, answerTo, wantedFields, wantsText } from "./answer.ts";
import type { BuiltinArtifact } from "./artifact.ts";
import { type Call, handOverCall, handOverTool, nextCalls } from "./calls.ts";
import { answerSchema, type Conversation, readConversation, tokensOf } from "./conversation.ts";
import { answeringOnly, searchedPages } from "./found-pages.ts";
import { Predictor } from "./predictor.ts";
import { replyOf, smallTalkReply } from "./reply.ts";

const name = "builtin";
/** Characters of a piece of a streamed text. */
const pieceLength = 200;

/**
 * The built-in model behind the interface that all models have. It calls the tools whose arguments the input supplies, searches for text that is asked for,
 * and answers with what it has learnt, copied and quoted; the rest it leaves out. It follows no instructions, whoever writes them: not the system's,
 * and not those in data. Of its settings only the length of the answer has an effect. `providerMetadata.builtin` says what each
 * field stands on.
 */
export function createBuiltinModel({ artifact }: { readonly artifact: BuiltinArtifact | null }): LanguageModelV4 {
  const predictor = artifact && new Predictor(artifact);
  const generate = (options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult => {
    options.abortSignal?.throwIfAborted();
    const conversation = readConversation(options);
    const read = tokensOf(conversation.characters);
    const talk = smallTalkTurn(conversation, options);
    if (talk) return talk;
    const fields = wantedFields(answerSchema(options), predictor);
    const topic = fields.map(({ told }) => told).join(" ");
    const calls = nextCalls(conversation, options, wantsText(fields, predictor), topic);
    if (calls.length > 0) return callsResult(calls, conversation.asked.size, read);
    const { chat, input } = conversation;
    const searched = chat && searchedPages(conversation.found);
    const found = chat ? answeringOnly(conversation.found) : conversation.found;
    const records = Object.fromEntries(found.map(({ tool, data }) => [tool, data]));
    const answer = answerTo(fields, predictor, { input, records });
    const text = chat ? replyOf(answer, chat, messageOf(conversation), searched) : JSON.stringify(answer.output);
    return answerResult(answer, text, artifact, read, options.maxOutputTokens);
  };
  /** A greeting, thanks or the wish for a person: answered without a search; null: it asks something. */
  const smallTalkTurn = (
    conversation: Conversation,
    options: LanguageModelV4CallOptions,
  ): LanguageModelV4GenerateResult | null => {
    const { chat, asked, found, characters } = conversation;
    const kind = chat && smallTalkIn(messageOf(conversation));
    if (!chat || !kind) return null;
    const read = tokensOf(characters);
    const calls = kind === "person" ? handOverCall(conversation, options) : [];
    if (calls.length > 0) return callsResult(calls, asked.size, read);
    const isHandedOver = found.some(({ tool }) => tool === handOverTool);
    const text = smallTalkReply(kind, chat, messageOf(conversation), isHandedOver);
    const answer: Answer = { output: { text }, fields: {}, groundedness: 1 };
    return answerResult(answer, text, artifact, read, options.maxOutputTokens);
  };
  return {
    specificationVersion: "v4",
    provider: name,
    modelId: name,
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => ({ stream: streamOf(generate(options), options.abortSignal) }),
  };
}

const messageOf = ({ input }: Conversation): string => String(input.message ?? "");

function callsResult(calls: readonly Call[], before: number, read: number): LanguageModelV4GenerateResult {
  const content = calls.map((call, at) => ({
    type: "tool-call" as const,
    toolCallId: `call_${before + at + 1}`,
    toolName: call.tool,
    input: JSON.stringify(call.arguments),
  }));
  const written = tokensOf(content.reduce((sum, { input, toolName }) => sum + input.length + toolName.length, 0));
  return {
    content,
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: usageOf(read, written),
    warnings: [],
  };
}

function answerResult(
  answer: Answer,
  whole: string,
  artifact: BuiltinArtifact | null,
  read: number,
  most: number | undefined,
): LanguageModelV4GenerateResult {
  const { output: _output, ...told } = answer;
  const cut = most !== undefined && tokensOf(whole.length) > most;
  const text = cut ? whole.slice(0, most * 4) : whole;
  const notes = { artifact: artifact?.digest ?? null, ...told };
  return {
    content: [{ type: "text", text }],
    finishReason: { unified: cut ? "length" : "stop", raw: undefined },
    usage: usageOf(read, tokensOf(text.length)),
    providerMetadata: { builtin: notes } as unknown as SharedV4ProviderMetadata,
    warnings: [],
  };
}

function usageOf(read: number, written: number): LanguageModelV4GenerateResult["usage"] {
  return {
    inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: written, text: written, reasoning: undefined },
  };
}

/** The parts of a result one by one, each made when it is asked for; an abort in between ends the stream with the signal's reason. */
function streamOf(
  result: LanguageModelV4GenerateResult,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = partsOf(result);
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const { done, value } = parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* partsOf(result: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", modelId: name };
  for (const part of result.content) {
    if (part.type === "tool-call") {
      yield { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName };
      yield { type: "tool-input-delta", id: part.toolCallId, delta: part.input };
      yield { type: "tool-input-end", id: part.toolCallId };
      yield part;
    } else if (part.type === "text") {
      yield { type: "text-start", id: "answer" };
      for (let at = 0; at < part.text.length; at += pieceLength) {
        yield { type: "text-delta", id: "answer", delta: part.text.slice(at, at + pieceLength) };
      }
      yield { type: "text-end", id: "answer" };
    }
  }
  const { usage, finishReason, providerMetadata } = result;
  yield { type: "finish", usage, finishReason, ...(providerMetadata ? { providerMetadata } : {}) };
}
