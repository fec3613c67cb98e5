import { type Static, Type } from "typebox";
import { closed, Time } from "../../kernel/schema-words.ts";
import { Conversation, Participant } from "./conversations-schemas.ts";
import { Message } from "./messages-schemas.ts";

// The export of a conversation on the wire. A part of schemas.ts, which it does not import.

export const ExportConversationBody = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Messages with higher numbers; default: all." }),
    ),
  },
  closed,
);

export const ConversationExport = Type.Object({
  exported_at: Time,
  exported_by: Type.String({ description: "By id." }),
  conversation: Conversation,
  participants: Type.Array(Participant),
  messages: Type.Array(Message, { description: "Oldest first." }),
  has_more: Type.Boolean({
    description: "Whether there are messages behind these: export again with `after` set to the last number.",
  }),
});
export type ConversationExport = Static<typeof ConversationExport>;
