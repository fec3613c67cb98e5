import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { ConversationId } from "./conversations-schemas.ts";
import { Message, MessageId } from "./messages-schemas.ts";

// Shapes of searching conversations on the wire. A part of schemas.ts, which it does not import.

export const ChatSearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words that a message has to contain, in any order. `"in quotes"`: one after the other; `or` between two: either; `-word`: without it.',
    }),
    agent: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: "Conversations with these agents." }),
    ),
    user: Type.Optional(Type.String({ description: "Conversations of this person, by your name of them." })),
    channel: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 50 })),
    state: Type.Optional(Type.Enum(["open", "closed"] as const)),
    label: Type.Optional(Type.String({ description: "A label that the conversations carry." })),
    role: Type.Optional(
      Type.Array(Message.properties.role, { minItems: 1, maxItems: 4, description: "Who wrote the messages." }),
    ),
    created_after: Type.Optional(
      Type.String({ format: "date-time", description: "Conversations started at this time or later." }),
    ),
    created_before: Type.Optional(
      Type.String({ format: "date-time", description: "Conversations started before this time." }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  },
  closed,
);
export type ChatSearchBody = Static<typeof ChatSearchBody>;

export const FoundMessage = Type.Object({
  conversation_id: ConversationId,
  agent: Type.String(),
  user: nullable(Type.String()),
  channel: Type.String(),
  title: nullable(Type.String()),
  message_id: MessageId,
  number: Type.Integer({ description: "Its place in the conversation." }),
  role: Message.properties.role,
  author_name: nullable(Type.String()),
  created_at: Time,
  snippet: Type.String({ description: "The passages of the message in which the words stand." }),
  highlights: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
    description: "Where the words stand in `snippet`, in UTF-16 code units.",
  }),
  score: Type.Number({ description: "How well it fits; comparable within one search only." }),
});
export type FoundMessage = Static<typeof FoundMessage>;

export const ChatSearchAnswer = Type.Object({
  data: Type.Array(FoundMessage, { description: "The best first." }),
  has_more: Type.Boolean({ description: "Whether more messages fit than `limit`." }),
});
export type ChatSearchAnswer = Static<typeof ChatSearchAnswer>;
