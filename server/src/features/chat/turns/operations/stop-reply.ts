import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";
import { seenBy, shownConversation } from "../../conversations/view.ts";
import { conversationIsClosed } from "../../errors.ts";
import { messageCompleted } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, StopBody } from "../../schemas.ts";
import { lockOpenConversation, stopTurns } from "../control.ts";
import { isOpen } from "../rules.ts";
import { settleTurns } from "../settle.ts";

export const stopReply = defineOperation({
  id: "chat.stopReply",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/stop",
  listed: true,
  summary: "Stop the reply",
  description:
    "Stops what the agent is answering, with its tools, and takes messages that wait for their turn out of the line. A stopped reply writes nothing further. " +
    "Answers that wait for people's approval stay, unless `approvals` is `cancel`.",
  params: ConversationParams,
  body: StopBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { approvals: "keep" },
    output: exampleConversation,
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("stops work, starts none"),
  decides: exempt("stops a reply, adds no text"),
  compliance: governs("chat.change", conversationRead),
  audit: aboutConversation,
  emits: [taskCancelled, messageCompleted],
  errors: [conversationIsClosed],
  async handle(ctx, { loaded, body }) {
    const row = await lockOpenConversation(ctx, loaded.id);
    const turns = (await settleTurns(ctx, row)).filter(
      (turn) => isOpen(turn) && (turn.state !== "awaiting_approval" || body.approvals === "cancel"),
    );
    await stopTurns(ctx, row, turns, "The user stopped the reply.");
    return seenBy(
      ctx.principal,
      await shownConversation(ctx, (await findConversation(ctx, loaded.id)) as ConversationRow),
    );
  },
});
