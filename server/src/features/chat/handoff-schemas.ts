import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";

// Shapes of handing a conversation on, and of what helps the person who answers.

const Reason = Type.String({ minLength: 1, maxLength: 1000, description: "Why, as the one who takes over reads it." });
const Running = Type.Enum(["finish", "stop"] as const, {
  default: "stop",
  description: "What becomes of an answer that the agent is writing.",
});

export const HandoffBody = Type.Object(
  {
    to: Type.Enum(["person", "agent"] as const),
    member: Type.Optional(
      Type.String({ description: "The person who is asked for, `mbr_…`; left out: anybody who may answer." }),
    ),
    agent: Type.Optional(AgentName),
    reason: Reason,
    running: Type.Optional(Running),
  },
  closed,
);
export type HandoffBody = Static<typeof HandoffBody>;

export const TakeBody = Type.Object({ running: Type.Optional(Running) }, closed);
export type TakeBody = Static<typeof TakeBody>;

export const ReturnBody = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description:
          "What the agent is to know of what was agreed. It becomes part of the conversation, visible to everybody in it.",
      }),
    ),
  },
  closed,
);
export type ReturnBody = Static<typeof ReturnBody>;

export const TransferBody = Type.Object(
  {
    owner: Type.Optional(
      Type.String({
        description:
          "The member or service account on whose behalf the agent works from now on; they may do no more than you.",
      }),
    ),
    user: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200 }), "Your own name of the person who writes."),
    ),
    channel: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "`api`, or a connected channel." })),
    external_key: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200 }), "Its name in the new channel, such as a thread's id."),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type TransferBody = Static<typeof TransferBody>;

export const Suggestion = Type.Object({
  text: Type.String(),
  kind: Type.Enum(["reply", "question"] as const, {
    description: "`reply`: a draft for the person who answers. `question`: what the user might ask next.",
  }),
  generated: Type.Boolean({ description: "Whether a model wrote it; else it is quoted from `source`." }),
  source: nullable(
    Type.Object({ base: Type.String(), title: Type.String(), chunk_id: Type.String() }),
    "Where it is quoted from.",
  ),
});

export const Suggestions = Type.Object({
  suggestions: Type.Array(Suggestion),
  /** The message that they answer. */
  message_id: nullable(Type.String(), "The message of the user that they answer; null: none waits for an answer."),
  note: nullable(Type.String(), "Why there are none, or none by a model."),
  made_at: Time,
});
export type Suggestions = Static<typeof Suggestions>;
