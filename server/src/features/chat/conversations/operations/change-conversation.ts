import { all, sql, update } from "../../../../db/scoped.ts";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { exampleConversation } from "../../example.ts";
import { ChangeConversationBody, Conversation } from "../../schemas.ts";
import { publishConversation } from "../notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { contextFaults } from "../start.ts";
import { type ConversationRow, findConversation, lockConversation } from "../store.ts";
import { addWritersAtOnce, writersOf } from "../writers.ts";

export const changeConversation = defineOperation({
  id: "chat.changeConversation",
  method: "PATCH",
  path: "/v1/chat/conversations/{conversation}",
  summary: "Change a conversation",
  description:
    "Changes the title, labels, language or context. What is left out stays; `context` and `labels` are replaced whole. The agent reads the new context from the next turn on.",
  params: ConversationParams,
  body: ChangeConversationBody,
  output: Conversation,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: ConversationRow) => revision,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { title: "Delivery of order 4711", labels: ["delivery"] },
    output: { ...exampleConversation, labels: ["delivery"], revision: 2 },
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  validate: (_ctx, { body }) => contextFaults(body.context),
  gate: exempt("makes no agent act"),
  decides: "message",
  compliance: governs("chat.change", conversationRead),
  audit: aboutConversation,
  async handle(ctx, { loaded, body }) {
    const row = await lockConversation(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The conversation was just erased.");
    if (ctx.basedOnLoaded && row.revision !== loaded.revision) throw changedMeanwhile();
    const { context, ...members } = body;
    const changes = { ...members, ...(context && { context: JSON.stringify(context) }), updated_at: new Date(ctx.now) };
    const query = update(ctx, "chat_conversations").set({ ...changes, revision: sql<number>`revision + 1` });
    await all(ctx, query.where("id", "=", row.id));
    if (context) await addWritersAtOnce(ctx, row.id, writersOf(ctx, row.id));
    return publishConversation(ctx, row.id);
  },
});
