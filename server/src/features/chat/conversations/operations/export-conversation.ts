import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleConversation, exampleMessage } from "../../example.ts";
import { ConversationExport, ExportConversationBody } from "../../schemas.ts";
import { exportMarkdown, exportText } from "../export-text.ts";
import { listMessages, messageView } from "../message-store.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../operation-parts.ts";
import { participantsOf } from "../participants.ts";
import { findConversation } from "../store.ts";
import { shownConversation } from "../view.ts";

const most = 10_000;

export const exportConversation = defineOperation({
  id: "chat.exportConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/export",
  summary: "Export a conversation",
  description:
    "The transcript as a file: the participants by name, every message with whether a model wrote it, its trust score and its audit record. As Markdown with `Accept: text/markdown`, as plain text with `Accept: text/plain`. " +
    `At most ${most.toLocaleString("en")} messages; \`after\` continues.`,
  params: ConversationParams,
  body: ExportConversationBody,
  output: ConversationExport,
  writes: {
    "text/markdown": { etag: "md", write: exportMarkdown },
    "text/plain": { etag: "txt", write: exportText },
  },
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: {},
    output: {
      exported_at: "2026-11-23T10:00:00.000Z",
      exported_by: "mbr_01jd8x0000000000000000000e",
      has_more: false,
      conversation: exampleConversation,
      participants: [],
      messages: [exampleMessage],
    },
  },
  permission: "chat:manage",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  decides: exempt("exports are for people"),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  async handle(ctx, { loaded, body }) {
    const rows = await listMessages(ctx, loaded.id, body.after ?? 0, most + 1);
    return {
      exported_at: new Date(ctx.now).toISOString(),
      exported_by: ctx.principal.id,
      conversation: await shownConversation(ctx, loaded),
      participants: await participantsOf(ctx, loaded),
      messages: rows.slice(0, most).map(messageView),
      has_more: rows.length > most,
    };
  },
});
