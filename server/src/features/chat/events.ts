import { type TProperties, Type } from "typebox";
import { defineEvent, whoHolds } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";

const common = {
  conversation_id: Type.String({ description: "`cnv_…`" }),
  agent: Type.String(),
  channel: Type.String(),
};

const team = nullable(Type.String(), "The team, by name; null: none.");

const chatEvent = <T extends string, M extends TProperties>(type: T, summary: string, more: M) => {
  const schema = Type.Object({ event: Type.Literal(type), ...common, ...more });
  return defineEvent({ type, summary, readers: whoHolds("chat:read"), schema });
};

export const conversationStarted = chatEvent("chat.conversation_started", "A conversation was started.", {});
export const conversationClosed = chatEvent("chat.conversation_closed", "A conversation was closed.", {});
export const messageCompleted = chatEvent("chat.message_completed", "A message was completed.", {
  message_id: Type.String({ description: "`msg_…`" }),
  role: Type.String(),
});
export const handoffRequested = chatEvent("chat.handoff_requested", "A conversation waits for a person.", {
  team,
  cause: Type.String({ description: "Why: a rule of the agent's file, `agent` or `caller`." }),
});
export const handoffAssigned = chatEvent("chat.handoff_assigned", "A waiting conversation was assigned to a person.", {
  team,
  member: nullable(Type.String(), "To whom, by id; null: it was released."),
});
export const serviceLevelBreached = chatEvent(
  "chat.service_level_breached",
  "A conversation waited longer for people than its team's service level allows.",
  {
    team,
    level: Type.Enum(["waiting", "first_answer"] as const),
    due_at: Type.String({ description: "When it was due, RFC 3339." }),
  },
);
export const handoffWaiting = chatEvent("chat.handoff_waiting", "Nobody took a conversation over for ten minutes.", {
  since: Type.String({ description: "When a person was asked for, RFC 3339." }),
});
export const handoffTaken = chatEvent("chat.handoff_taken", "A person took a conversation over.", {
  member: Type.String({ description: "Who, by id." }),
});
export const conversationReturned = chatEvent("chat.returned", "A person handed a conversation back to its agent.", {});
