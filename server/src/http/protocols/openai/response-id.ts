import { isId } from "../../../kernel/ids.ts";

// The id of a response says which turn of which conversation it is, so that nothing is kept for it.

const pattern = /^resp_([0-9a-z]{26})([0-9a-z]{26})$/;

/** The id of what becomes of a message: its turn, or the message where a person answers it. */
export const responseId = (conversation: string, turnOrMessage: string): string =>
  `resp_${conversation.slice("cnv_".length)}${turnOrMessage.slice(turnOrMessage.indexOf("_") + 1)}`;

/** What a response is; null: this is no id of a response. */
export function partsOfResponseId(id: string): { readonly conversation: string; readonly turn: string } | null {
  const match = pattern.exec(id);
  const found = match && { conversation: `cnv_${match[1]}`, turn: `tur_${match[2]}` };
  return found && isId(found.conversation, "cnv") && isId(found.turn, "tur") ? found : null;
}

export const conversationOfResponse = (id: string): string | null => partsOfResponseId(id)?.conversation ?? null;
