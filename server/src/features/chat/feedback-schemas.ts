import { type Static, Type } from "typebox";
import { closed } from "../../kernel/schema-words.ts";

export const ChatFeedbackBody = Type.Object(
  {
    accepted: Type.Optional(Type.Boolean({ description: "Whether the reply helped." })),
    rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: "1 useless, 5 just right." })),
    correction: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32_000, description: "The reply as it should have been." }),
    ),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: "Words for people." })),
  },
  { ...closed, minProperties: 1 },
);
export type ChatFeedbackBody = Static<typeof ChatFeedbackBody>;
