import { nothingUsed } from "../../../kernel/budget.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { askTokens, providerOf, readerFacts } from "../asked-model.ts";
import { type ConversationRow, findConversation } from "../conversation-store.ts";
import { exampleConversation } from "../example.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../list-store.ts";
import { listLatest, messageView, textOf } from "../message-store.ts";
import { Suggestions } from "../schemas.ts";
import { quoteKnowledge, suggestByModel } from "../suggestions.ts";

export const readSuggestions = withPorts(({ connections }) =>
  defineRead({
    id: "chat.readSuggestions",
    path: "/v1/chat/conversations/{conversation}/suggestions",
    summary: "Suggest what to write next",
    description:
      "For the person who answers: drafts by the agent's model where a provider runs it, marked as generated, and passages of the agent's knowledge, quoted. Nothing is sent by itself. " +
      `What asking the model used counts against budgets; up to ${askTokens} tokens are reserved for it.`,
    params: ConversationParams,
    output: Suggestions,
    example: {
      params: { conversation: exampleConversation.conversation_id },
      output: {
        suggestions: [{ text: "Your parcel arrives on Tuesday.", kind: "reply", generated: true, source: null }],
        ...{ message_id: "msg_01jd8x0000000000000000000m", note: null, made_at: "2026-11-23T09:00:03.000Z" },
      },
    },
    permission: "chat:answer",
    load: (ctx, { conversation }) => findConversation(ctx, conversation),
    compliance: governs("chat.read", conversationRead, {
      proposes: (ctx, { loaded }: { loaded: ConversationRow }) =>
        providerOf(ctx, loaded.agent) && { action: "model.call", facts: readerFacts(ctx, loaded) },
      spends: (ctx, { loaded: { agent } }) => ({
        ...{ agent, principal: ctx.principal.id, keyId: ctx.principal.keyId },
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
        : await suggestByModel(ctx, connections, loaded, messages.map(messageView));
      const quoted = await quoteKnowledge(ctx, loaded, textOf(messageView(asked).parts));
      const written = typeof byModel === "string" ? [] : byModel;
      const note = typeof byModel === "string" ? byModel : null;
      return { suggestions: [...written, ...quoted], message_id: asked.id, note, made_at };
    },
  }),
);
