import { nothingUsed } from "../../../../kernel/budget.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { membersOf } from "../../../../kernel/stored-json.ts";
import { connectionPort, findConnection, usedBy } from "../../../admin/public.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { agentTokens, readerTokens, search } from "../../../knowledge/public.ts";
import { listLatest, messageView, textOf } from "../../conversations/message-store.ts";
import { askTokens, providerOf, readerFacts, systemFor, transcriptText } from "../../conversations/model-request.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";
import { exampleConversation } from "../../example.ts";
import { type Message, Suggestions } from "../../schemas.ts";

export const readSuggestions = defineRead({
  id: "chat.readSuggestions",
  path: "/v1/chat/conversations/{conversation}/suggestions",
  summary: "Suggest what to write next",
  description:
    "For the person who answers: drafts by the agent's model where a provider runs it, marked as generated, and passages of the agent's knowledge, quoted. Nothing is sent automatically. " +
    `What asking the model used counts against budgets; up to ${askTokens} tokens are reserved for it.`,
  params: ConversationParams,
  output: Suggestions,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    output: {
      suggestions: [{ text: "Your parcel arrives on Tuesday.", kind: "reply", generated: true, source: null }],
      message_id: "msg_01jd8x0000000000000000000m",
      note: null,
      made_at: "2026-11-23T09:00:03.000Z",
    },
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead, {
    proposes: (ctx, { loaded }: { loaded: ConversationRow }) =>
      providerOf(ctx, loaded.agent) && { action: "model.call", facts: readerFacts(ctx, loaded) },
    spends: (ctx, { loaded: { agent } }) => ({
      agent,
      principal: ctx.principal.id,
      keyId: ctx.principal.keyId,
      demand: providerOf(ctx, agent) ? { tokens: askTokens, usdUnknown: true } : {},
    }),
  }),
  audit: aboutConversation,
  async handle(ctx, { loaded, governed }): Promise<Suggestions> {
    ctx.spent(nothingUsed);
    const messages = await listLatest(ctx, loaded.id, 50);
    const asked = messages.findLast(({ role, status }) => role === "user" && status !== "retracted");
    const made_at = new Date(ctx.now).toISOString();
    if (!asked) return { suggestions: [], message_id: null, note: "The user has written nothing yet.", made_at };
    const byModel = governed.redact
      ? "A policy wants personal data replaced before a model reads it, so none was asked."
      : await suggestByModel(ctx, loaded, messages.map(messageView));
    const quoted = await quoteKnowledge(ctx, loaded, textOf(messageView(asked).parts));
    const written = typeof byModel === "string" ? [] : byModel;
    const note = typeof byModel === "string" ? byModel : null;
    return { suggestions: [...written, ...quoted], message_id: asked.id, note, made_at };
  },
});

type Suggested = Suggestions["suggestions"];

const task =
  'Propose up to three next messages. Answer with JSON alone: {"replies": [drafts that a person of the company could send next], "questions": [what the user might ask next]}. Use the conversation\'s language. Promise nothing that the conversation does not support.';

/** A string says why there are none. */
async function suggestByModel(
  ctx: ReadContext,
  { agent }: ConversationRow,
  messages: readonly Message[],
): Promise<Suggested | string> {
  const model = providerOf(ctx, agent);
  if (!model) return `The model of ${agent} is built in: it quotes and writes nothing of its own.`;
  const connection = await findConnection(ctx.db, ctx.port(connectionPort).credentialKey, ctx.scope, model.connection);
  if (!connection || connection.kind === "http") return `The connection ${model.connection} is not there any more.`;
  const asked = { model: model.name, system: systemFor(task), user: transcriptText(messages) };
  const written = await ctx.port(connectionPort).ask(ctx.scope, connection, asked, ctx.signal);
  ctx.spent(usedBy(written));
  if (written === null) return "Too many connections are in use; try again in a few seconds.";
  if (!("text" in written)) return `${model.name} did not answer.`;
  return suggestionsIn(written.text) ?? `${model.name} did not answer in the form that was asked for.`;
}

/** Null: not of the form asked for. */
export function suggestionsIn(answer: string): Suggested | null {
  const json = /\{[\s\S]*\}/.exec(answer)?.[0];
  try {
    const { replies, questions } = membersOf(json ?? "");
    const of = (texts: unknown, kind: "reply" | "question"): Suggested =>
      (Array.isArray(texts) ? texts : [])
        .filter((text): text is string => typeof text === "string" && text.trim() !== "")
        .slice(0, 3)
        .map((text) => ({ text: text.trim().slice(0, 2000), kind, generated: true, source: null }));
    return [...of(replies, "reply"), ...of(questions, "question")];
  } catch {
    return null;
  }
}

async function quoteKnowledge(ctx: ReadContext, { agent }: ConversationRow, question: string): Promise<Suggested> {
  const bases = findKnownAgent(ctx, agent)?.live?.definition.knowledge ?? [];
  if (bases.length === 0) return [];
  const found = await search(ctx, {
    query: question,
    bases,
    limit: 3,
    sight: [agentTokens(agent), readerTokens(ctx.principal)],
  });
  if (!found.answered) return [];
  return found.chunks.map(({ id, base, title, text }) => ({
    text: text.slice(0, 2000),
    kind: "reply" as const,
    generated: false,
    source: { base, title, chunk_id: id },
  }));
}
