import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";
import { Handoff } from "../conversations/schemas.ts";

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
    team: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "The team whose queue it waits in, by name; the agent then does not answer until it is returned.",
      }),
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
          "The member or service account on whose behalf the agent works from now on; they may not have more permissions than you.",
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
  message_id: nullable(Type.String(), "The message of the user that they answer; null: none waits for an answer."),
  note: nullable(Type.String(), "Why there are none, or none by a model."),
  made_at: Time,
});
export type Suggestions = Static<typeof Suggestions>;

export const AssignBody = Type.Object(
  {
    member: nullable(
      Type.String({ description: "Who answers, `mbr_…`: a person whose role here has `chat:answer`." }),
      "Null: the conversation goes back to where it waits, and anybody may take it.",
    ),
  },
  closed,
);
export type AssignBody = Static<typeof AssignBody>;

export const NoteBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: "For the people who answer, and for nobody else.",
    }),
  },
  closed,
);

export const Note = Type.Object({
  note_id: Type.String({ description: "`cno_…`" }),
  conversation_id: Type.String({ description: "`cnv_…`" }),
  author: Type.Object({ id: Type.String(), name: Type.String() }),
  text: Type.String(),
  audit_ref: Type.String(),
  created_at: Time,
});
export type Note = Static<typeof Note>;

export const QueueTeam = Type.Object({
  team: Type.String(),
  title: Type.String(),
  mine: Type.Boolean({ description: "Whether you are a member." }),
  open: Type.Boolean(),
  opens_at: nullable(Time, "When it opens; null: it is open."),
  waiting: Count("Conversations that wait for a person."),
  answering: Count("Conversations in which a person answers."),
  breached: Count("Of these, those that exceeded a service level."),
  oldest_at: nullable(Time, "Since when the first of them waits."),
});
export type QueueTeam = Static<typeof QueueTeam>;
export const Queues = Type.Object({ data: Type.Array(QueueTeam) });
export type Queues = Static<typeof Queues>;

export const QueuedConversation = Type.Object({
  conversation_id: Type.String({ description: "`cnv_…`" }),
  agent: Type.String(),
  channel: Type.String(),
  title: nullable(Type.String()),
  user: nullable(Type.String()),
  cause: Handoff.properties.cause,
  reason: Type.String(),
  member: nullable(Type.Object({ id: Type.String(), name: Type.String() }), "To whom it is assigned, or who answers."),
  state: Type.Enum(["waiting", "answering"] as const),
  since: Time,
  due_at: nullable(Time, "The next service level that it has to meet; null: none is left."),
  breached: Type.Boolean({ description: "Whether it exceeded a service level." }),
});
export const Queue = Type.Object({
  ...QueueTeam.properties,
  conversations: Type.Array(QueuedConversation, { description: "The one that waits longest first; 200 at most." }),
});
export type Queue = Static<typeof Queue>;

export const TakeOver = Type.Object({
  conversation_id: Type.String({ description: "`cnv_…`" }),
  handoff: nullable(Handoff, "Null: the agent answers, and nobody was asked."),
  notes: Type.Array(Note, { description: "Oldest first." }),
  saved_replies: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), text: Type.String() }), {
    description:
      "Those of the team, and without one of your teams, with their placeholders filled in. Nothing is sent by itself.",
  }),
});
export type TakeOver = Static<typeof TakeOver>;
