import type { InboxSource } from "../../kernel/inbox.ts";
import { answerPermission, mayAnswer } from "./handoff-model.ts";

/** Conversations that were handed to people and that nobody has taken. */
export const waitingHandoffs: InboxSource = {
  kind: "handoff",
  reads: "chat:read",
  acts: answerPermission,
  actors: mayAnswer,
  sql: `select c.id, coalesce(c.title, c.end_user, 'A conversation'), c.handoff ->> 'reason', c.agent, null::text, (c.handoff ->> 'requested_at')::timestamptz,
      null::timestamptz, null::text, null::text, null::text, c.handoff ->> 'member', coalesce(c.handoff ->> 'member' = $4, true), '/conversations/' || c.id
    from chat_conversations c
    where c.organization = $1 and c.environment = $2 and c.state = 'open' and c.handler is null and c.handoff is not null
      and c.handoff ->> 'to' = 'person' and c.handoff ->> 'taken_at' is null and ($3::text[] is null or c.agent = any($3))`,
};
