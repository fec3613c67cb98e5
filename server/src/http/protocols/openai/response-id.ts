import { isId } from "../../../kernel/ids.ts";

// The id of a response says which message of which conversation it answers, so that nothing is kept for it.

const pattern = /^resp_([0-9a-z]{26})([0-9a-z]{26})$/;

/** The id of what answers a message of the user. */
export const responseId = (conversation: string, message: string): string =>
  `resp_${conversation.slice("cnv_".length)}${message.slice("msg_".length)}`;

/** What a response answers; null: this is no id of a response. */
export function answeredBy(id: string): { readonly conversation: string; readonly message: string } | null {
  const match = pattern.exec(id);
  const found = match && { conversation: `cnv_${match[1]}`, message: `msg_${match[2]}` };
  return found && isId(found.conversation, "cnv") && isId(found.message, "msg") ? found : null;
}

export const conversationOfResponse = (id: string): string | null => answeredBy(id)?.conversation ?? null;
