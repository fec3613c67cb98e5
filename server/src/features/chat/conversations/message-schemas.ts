import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ReplyOptions } from "../turns/schemas.ts";
import { Conversation, ConversationId, Participant } from "./schemas.ts";

// Shapes of messages, turns and the events of a conversation's stream.

export const MessageId = Type.String({ pattern: "^msg_[0-9a-z]{26}$", description: "The message's id, `msg_…`." });
export const TurnId = Type.String({ description: "The turn's id, `tur_…`." });
const Failure = Type.Object({ code: Type.String(), detail: Type.String() });

export const TextPart = Type.Object({ type: Type.Literal("text"), text: Type.String() });
export const CitationPart = Type.Object({
  type: Type.Literal("citation"),
  citation_id: Type.Optional(Type.String({ description: "`cit_…`: names the passage as it was, for good." })),
  title: Type.String(),
  quote: Type.String({ description: "What was found, word for word." }),
  position: Type.Optional(
    nullable(
      Type.Object({
        part: Type.Integer({ minimum: 0, description: "The text part, by its place in `parts`, from 0." }),
        start: Type.Integer({ minimum: 0, description: "In UTF-16 code units." }),
        end: Type.Integer({ minimum: 0 }),
      }),
      "Where the reply quotes or names it; null: the reply as a whole rests on it.",
    ),
  ),
  base: nullable(Type.String()),
  document_id: nullable(Type.String()),
  chunk_id: nullable(Type.String()),
  url: nullable(Type.String(), "Where the document can be read; null where it has no address."),
});
export const ToolCallPart = Type.Object({
  type: Type.Literal("tool_call"),
  call_id: Type.String(),
  tool: Type.String(),
  by: Type.Optional(
    Type.Literal("caller", {
      description: "The caller of the conversation runs it and brings the result, which nobody has checked.",
    }),
  ),
  arguments: Type.Unknown(),
  state: Type.Enum(["running", "waiting", "completed", "failed", "cancelled"] as const),
  result: Type.Unknown({ description: "Null while it runs, and where it failed." }),
  failure: nullable(Failure),
});
export const FilePart = Type.Object({
  type: Type.Literal("file"),
  file_id: Type.String({ description: "`fil_…`" }),
  name: Type.String(),
  media_type: Type.String(),
  size: Count("Bytes."),
});
export const ApprovalPart = Type.Object({
  type: Type.Literal("approval"),
  approval_id: Type.String({ description: "`apr_…`" }),
  state: Type.Enum(["pending", "approved", "rejected", "changes_requested", "expired", "cancelled"] as const),
  summary: Type.String({ description: "What people are asked to approve." }),
  approve_url: Type.String(),
});
export const NoticePart = Type.Object({
  type: Type.Literal("notice"),
  code: Type.String({
    description:
      "`disclosure`, `question`, `handoff`, `returned`, `summary`, `policy`, `links_removed`, `stopped`, `failed`, `compacted`, `not_answered` or another one.",
  }),
  text: Type.String(),
  options: Type.Optional(Type.Array(Type.String(), { description: "Of a question: the answers that it takes." })),
});
export const Part = Type.Union([TextPart, CitationPart, ToolCallPart, FilePart, ApprovalPart, NoticePart]);
export type Part = Static<typeof Part>;

export const Message = Type.Object({
  message_id: MessageId,
  conversation_id: ConversationId,
  number: Type.Integer({ minimum: 1, description: "Its place in the conversation." }),
  role: Type.Enum(["user", "agent", "person", "system"] as const),
  author: Type.Object({
    kind: Type.Enum(["user", "agent", "person", "service"] as const),
    id: nullable(Type.String()),
    name: Type.String(),
  }),
  status: Type.Enum(["queued", "streaming", "waiting", "complete", "stopped", "failed", "retracted"] as const, {
    description: "`waiting`: for approval, or for an answer to its question.",
  }),
  parts: Type.Array(Part),
  turn_id: nullable(TurnId),
  task_id: nullable(Type.String(), "The task that wrote it, `tsk_…`."),
  generated: Type.Boolean({ description: "Whether a model wrote it." }),
  imported: Type.Boolean({ description: "Whether the caller brought it along." }),
  covers: nullable(
    Type.Object({ from: Type.Integer(), to: Type.Integer() }),
    "Of a summary: the messages that it covers, which are kept.",
  ),
  replaces: nullable(Type.String(), "The reply in whose place it stands."),
  replaced_by: nullable(Type.String()),
  trust_score: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  audit_ref: Type.String(),
  created_at: Time,
  completed_at: nullable(Time),
});
export type Message = Static<typeof Message>;

export const turnStates = [
  ...(["queued", "running", "awaiting_approval", "input_required"] as const),
  ...(["completed", "failed", "blocked", "stopped"] as const),
] as const;
export const Turn = Type.Object({
  turn_id: TurnId,
  state: Type.Enum(turnStates),
  message_id: MessageId,
  reply_id: nullable(MessageId),
  task_id: nullable(Type.String()),
  failure: nullable(Failure),
});
export type Turn = Static<typeof Turn>;

export const SendMessageBody = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 32_000 }),
    files: Type.Optional(
      Type.Array(Type.String({ description: "`fil_…`, attached to this conversation." }), {
        maxItems: 10,
        uniqueItems: true,
      }),
    ),
    when_busy: Type.Optional(
      Type.Enum(["queue", "interrupt", "reject"] as const, {
        default: "queue",
        description: "What happens while the agent answers: wait in line, stop that answer, or 409 with `Retry-After`.",
      }),
    ),
    options: Type.Optional(ReplyOptions),
    as: Type.Optional(
      Type.Enum(["user", "person"] as const, {
        default: "user",
        description: "`person`: you answer in the agent's place, under your name. Needs the permission `chat:answer`.",
      }),
    ),
  },
  closed,
);
export type SendMessageBody = Static<typeof SendMessageBody>;

export const StopBody = Type.Object(
  {
    approvals: Type.Optional(
      Type.Enum(["keep", "cancel"] as const, {
        default: "keep",
        description: "What becomes of earlier answers that wait for people's approval.",
      }),
    ),
  },
  closed,
);
export type StopBody = Static<typeof StopBody>;

export const Sent = Type.Object({
  conversation_id: ConversationId,
  message_id: MessageId,
  turn_id: nullable(TurnId, "Null: a person answers."),
  state: Type.Enum(["running", "queued", "with_person", "answered"] as const, {
    description: "`answered`: it answered the question of a turn that waited for it.",
  }),
  reply_id: nullable(MessageId),
  task_id: nullable(Type.String()),
  reply: nullable(Message, "The reply as far as it was there when the wait (`Prefer: wait`) ended."),
  sequence: Count("The stream's latest event before this message."),
  trust_score: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  audit_ref: Type.String(),
});
export type Sent = Static<typeof Sent>;

export const chatEventTypes = [
  ...(["chat.message.created", "chat.part.started", "chat.part.delta", "chat.part.completed"] as const),
  ...(["chat.message.completed", "chat.message.changed", "chat.turn.changed", "chat.conversation.changed"] as const),
] as const;
export type ChatEventType = (typeof chatEventTypes)[number];

export const ChatEvent = Type.Object({
  sequence: Type.Integer({ minimum: 1 }),
  type: Type.Enum(chatEventTypes),
  time: Time,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type ChatEvent = Static<typeof ChatEvent>;

/** `index` is the part's place in the message. */
export interface ChatEventData {
  readonly "chat.message.created": { readonly message: Message };
  readonly "chat.part.started": { readonly message_id: string; readonly index: number; readonly part: Part };
  readonly "chat.part.delta": { readonly message_id: string; readonly index: number; readonly text: string };
  readonly "chat.part.completed": { readonly message_id: string; readonly index: number; readonly part: Part };
  /** Final: completed, stopped or failed. */
  readonly "chat.message.completed": { readonly message: Message };
  /** Waiting, retracted, replaced, redacted or rated. */
  readonly "chat.message.changed": { readonly message: Message };
  readonly "chat.turn.changed": { readonly turn: Turn };
  readonly "chat.conversation.changed": { readonly conversation: Record<string, unknown> };
}

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
  snippet: Type.String({ description: "The passages of the message that contain the words." }),
  highlights: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
    description: "Where the words are in `snippet`, in UTF-16 code units.",
  }),
  score: Type.Number({ description: "How well it fits; comparable within one search only." }),
});
export type FoundMessage = Static<typeof FoundMessage>;

export const ChatSearchAnswer = Type.Object({
  data: Type.Array(FoundMessage, { description: "The best first." }),
  has_more: Type.Boolean({ description: "Whether more messages fit than `limit`." }),
});
export type ChatSearchAnswer = Static<typeof ChatSearchAnswer>;

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
