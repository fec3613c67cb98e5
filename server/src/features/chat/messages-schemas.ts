import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../kernel/schema-words.ts";
import { ConversationId } from "./conversations-schemas.ts";

// Shapes of messages, turns and the events of a conversation's stream.

export const MessageId = Type.String({ pattern: "^msg_[0-9a-z]{26}$", description: "The message's id, `msg_…`." });
export const TurnId = Type.String({ description: "The turn's id, `tur_…`." });
const Failure = Type.Object({ code: Type.String(), detail: Type.String() });

export const TextPart = Type.Object({ type: Type.Literal("text"), text: Type.String() });
export const CitationPart = Type.Object({
  type: Type.Literal("citation"),
  title: Type.String(),
  quote: Type.String({ description: "What was found, word for word." }),
  base: nullable(Type.String()),
  document_id: nullable(Type.String()),
  chunk_id: nullable(Type.String()),
  url: nullable(Type.String()),
});
export const ToolCallPart = Type.Object({
  type: Type.Literal("tool_call"),
  call_id: Type.String(),
  tool: Type.String(),
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
    "Of a summary: the messages that it stands for, which are kept.",
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

/** What sending a message answers at once. */
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

/** An event of a conversation's stream. */
export const ChatEvent = Type.Object({
  sequence: Type.Integer({ minimum: 1 }),
  type: Type.Enum(chatEventTypes),
  time: Time,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type ChatEvent = Static<typeof ChatEvent>;

/** The data of each event by its type. `index` is the part's place in the message. */
export interface ChatEventData {
  readonly "chat.message.created": { readonly message: Message };
  readonly "chat.part.started": { readonly message_id: string; readonly index: number; readonly part: Part };
  readonly "chat.part.delta": { readonly message_id: string; readonly index: number; readonly text: string };
  readonly "chat.part.completed": { readonly message_id: string; readonly index: number; readonly part: Part };
  /** It stays as it is from now on: completed, stopped or failed. */
  readonly "chat.message.completed": { readonly message: Message };
  /** It waits, or was retracted, replaced, redacted or rated. */
  readonly "chat.message.changed": { readonly message: Message };
  readonly "chat.turn.changed": { readonly turn: Turn };
  /** State, handler, title: whatever a reader sees of it, as in the conversation. */
  readonly "chat.conversation.changed": { readonly conversation: Record<string, unknown> };
}
