import { Type } from "typebox";
import type { StreamContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";
import { exampleFile } from "../../example.ts";
import { ChatFile, FileId } from "../../schemas.ts";
import { type FileRow, fileView, findFile, readBytes } from "../store.ts";

type FoundFile = ConversationRow & { readonly file: FileRow };

export const readFile = defineRead({
  id: "chat.readFile",
  path: "/v1/chat/conversations/{conversation}/files/{file}",
  summary: "Read a file of a conversation",
  description:
    "What is known of it; with `Accept: application/octet-stream` its bytes, always of this type, so that no browser opens what a stranger sent.",
  params: Type.Object({ ...ConversationParams.properties, file: FileId }),
  output: ChatFile,
  example: {
    params: { conversation: exampleFile.conversation_id, file: exampleFile.file_id },
    output: exampleFile,
  },
  streams: { "application/octet-stream": (ctx, { loaded }: { loaded: FoundFile }) => bytesOf(ctx, loaded.file) },
  permission: "chat:read",
  async load(ctx, { conversation, file: id }): Promise<FoundFile | undefined> {
    const row = await findConversation(ctx, conversation);
    const file = row && (await findFile(ctx, row.id, id));
    return row && file && { ...row, file };
  },
  compliance: governs("chat.read", (ctx, given: { loaded: FoundFile }) => conversationRead(ctx, given)),
  audit: ({ params, loaded }) => ({ object: `file:${params.file}`, ...(loaded ? { subject: loaded.id } : {}) }),
  handle: (_ctx, { loaded }) => fileView(loaded.file),
});

async function* bytesOf(ctx: StreamContext, { id }: FileRow): AsyncGenerator<Uint8Array> {
  const bytes = await readBytes(ctx, id);
  if (bytes) yield bytes;
}
