import { type Static, Type } from "typebox";
import type { ReadContext } from "../../kernel/context.ts";
import type { AuditObject } from "../../kernel/operation.ts";
import { type ConversationRow, findConversation } from "./conversation-store.ts";
import { ConversationParams } from "./list-store.ts";
import { findMessage, type MessageRow } from "./message-store.ts";
import { MessageId } from "./schemas.ts";

// What operations about one message of a conversation share.

export const MessageParams = Type.Object({ ...ConversationParams.properties, message: MessageId });
export type FoundMessage = ConversationRow & { readonly message: MessageRow };

export async function loadMessage(
  ctx: ReadContext,
  { conversation, message: id }: Static<typeof MessageParams>,
): Promise<FoundMessage | undefined> {
  const row = await findConversation(ctx, conversation);
  const message = row && (await findMessage(ctx, id));
  return row && message?.conversation === row.id ? { ...row, message } : undefined;
}

export const aboutMessage = ({
  params,
  loaded,
}: {
  params: { message: string };
  loaded: FoundMessage | undefined;
}): AuditObject => ({
  object: `message:${params.message}`,
  ...(loaded ? { subject: loaded.id, task: loaded.message.task } : {}),
});
