import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { conversationClosed, messageCompleted } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { DeletedConversation } from "../../schemas.ts";
import { closeConversation, erase, eraseAt, listForks } from "../erase.ts";
import { ConversationParams, conversationRead } from "../operation-parts.ts";
import { findConversation, lockConversation } from "../store.ts";

export const deleteConversation = defineOperation({
  id: "chat.deleteConversation",
  method: "DELETE",
  path: "/v1/chat/conversations/{conversation}",
  listed: true,
  summary: "Close and erase a conversation",
  description:
    "Closes the conversation and stops what goes on in it. `erase=retention`, the default, erases it when the environment's `chat.retention_days` are over, `erase=now` " +
    "at once, also where it is closed already. Then messages, files and what was remembered from it are gone, and its tasks, their steps and approvals keep no contents: who did what and when stays, in the audit log as well.",
  params: ConversationParams,
  query: Type.Object(
    {
      erase: Type.Optional(
        Type.Enum(["retention", "now"] as const, { default: "retention", description: "When it is erased." }),
      ),
    },
    { additionalProperties: false },
  ),
  output: DeletedConversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    output: {
      conversation_id: exampleConversation.conversation_id,
      state: "closed",
      erased: false,
      forks: [],
      erase_at: "2026-12-23T09:00:00.000Z",
      audit_ref: exampleConversation.audit_ref,
    },
  },
  permission: "chat:manage",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("stops work, starts none"),
  decides: exempt("erases a conversation, adds no text"),
  compliance: governs("chat.erase", conversationRead),
  audit: ({ params }) => `conversation:${params.conversation}`,
  emits: [conversationClosed, messageCompleted, taskCancelled],
  async handle(ctx, { loaded, query }) {
    const row = await lockConversation(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The conversation was just erased.");
    const erased = query.erase === "now";
    const erase_at = erased ? null : (row.erase_at ?? eraseAt(ctx));
    await closeConversation(ctx, row, erase_at);
    const forks = await listForks(ctx, row.id);
    if (erased) await erase(ctx, row.id);
    const conversation_id = row.id;
    const deleted = { conversation_id, state: "closed" as const, erased, erase_at: erase_at?.toISOString() ?? null };
    return { ...deleted, forks, audit_ref: ctx.auditRef };
  },
});
