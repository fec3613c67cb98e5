import { Type } from "typebox";
import { defineEvent, whoHolds } from "../../kernel/events.ts";

const common = {
  conversation_id: Type.String({ description: "`cnv_…`" }),
  agent: Type.String(),
  channel: Type.String(),
};

const told = <T extends string, M extends Record<string, ReturnType<typeof Type.String>>>(
  type: T,
  summary: string,
  more: M,
) => {
  const schema = Type.Object({ event: Type.Literal(type), ...common, ...more });
  return defineEvent({ type, summary, readers: whoHolds("chat:read"), schema });
};

export const conversationStarted = told("chat.conversation_started", "A conversation was started.", {});
export const conversationClosed = told("chat.conversation_closed", "A conversation was closed.", {});
export const messageCompleted = told("chat.message_completed", "A message was completed.", {
  message_id: Type.String({ description: "`msg_…`" }),
  role: Type.String(),
});
export const handoffRequested = told("chat.handoff_requested", "A conversation waits for a person.", {});
export const handoffWaiting = told("chat.handoff_waiting", "Nobody took a conversation over for ten minutes.", {
  since: Type.String({ description: "When a person was asked for, RFC 3339." }),
});
export const handoffTaken = told("chat.handoff_taken", "A person took a conversation over.", {
  member: Type.String({ description: "Who, by id." }),
});
export const conversationReturned = told("chat.returned", "A person handed a conversation back to its agent.", {});
