import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { MessageId } from "../conversations/message-schemas.ts";
import { ConversationId, EndUser } from "../conversations/schemas.ts";

export const MemoryId = Type.String({ pattern: "^mem_[0-9a-z]{26}$", description: "The memory's id, `mem_…`." });
const text = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: "What is remembered. Agents read it as data.",
});

export const Memory = Type.Object({
  memory_id: MemoryId,
  user: nullable(EndUser, "About whom, in every conversation of theirs; null: it counts in its conversation alone."),
  conversation_id: nullable(ConversationId),
  text,
  source_message_id: nullable(MessageId, "The message that it was taken from; null: somebody entered it."),
  generated: Type.Boolean({ description: "Whether a model wrote it." }),
  author: Type.String({ description: "Who entered it, by id." }),
  audit_ref: Type.String(),
  created_at: Time,
});
export type Memory = Static<typeof Memory>;

export const CreateMemoryBody = Type.Object(
  {
    text,
    user: Type.Optional(EndUser),
    conversation_id: Type.Optional(ConversationId),
    source_message_id: Type.Optional(MessageId),
  },
  { ...closed, description: "About a `user`, or for one conversation (`conversation_id`), or taken from a message." },
);
export type CreateMemoryBody = Static<typeof CreateMemoryBody>;

export const DeletedMemory = Type.Object({
  memory_id: MemoryId,
  deleted: Type.Literal(true),
  audit_ref: Type.String(),
});

export const AgentMemory = Type.Object(
  {
    ...Memory.properties,
    scope: Type.Enum(["user", "conversation"] as const, {
      description:
        "`user`: every agent reads it in conversations of that user. `conversation`: it counts in one alone.",
    }),
  },
  { description: "What an agent remembers." },
);
export type AgentMemory = Static<typeof AgentMemory>;
