import { noticeTexts } from "@aos/user-texts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { languageIn } from "../../conversations/language.ts";
import { addNotice, publishConversation } from "../../conversations/notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { findConversation } from "../../conversations/store.ts";
import { nobody, writersOf } from "../../conversations/writers.ts";
import { conversationIsClosed } from "../../errors.ts";
import { conversationReturned } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, ReturnBody } from "../../schemas.ts";
import { lockOpenConversation } from "../../turns/control.ts";
import { changeConversation, eventSubject } from "../effects.ts";
import { endHandovers } from "../store.ts";

export const returnConversation = defineOperation({
  id: "chat.returnConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/return",
  summary: "Hand a conversation back to its agent",
  description:
    "The agent answers from the next message on, with its version that is live then, and says again that it is one. Also ends a hand-off that nobody took.",
  params: ConversationParams,
  body: ReturnBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { note: "The customer gets a refund of 20 EUR; that is settled." },
    output: exampleConversation,
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("passed at each message"),
  decides: "message",
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  emits: [conversationReturned],
  errors: [conversationIsClosed, conflict],
  async handle(ctx, { loaded, body }) {
    const row = await lockOpenConversation(ctx, loaded.id);
    if (row.handler === null && row.handoff === null)
      throw refuse(conflict, `${row.agent} answers in this conversation; nobody is asked to take it over.`);
    await changeConversation(ctx, row.id, {
      handler: null,
      handler_since: null,
      handoff: null,
      version_id: null,
      version_number: null,
      disclosed_at: null,
    });
    await endHandovers(ctx, row.id);
    const { returned } = noticeTexts[await languageIn(ctx, row)];
    const text = body.note === undefined ? returned : `${returned} ${body.note}`;
    const writers = body.note === undefined ? nobody : writersOf(ctx, row.id);
    await addNotice(ctx, row.id, { code: "returned", text, writers });
    ctx.emit(conversationReturned, eventSubject(row));
    return publishConversation(ctx, row.id);
  },
});
