import type { Schema } from "./types.ts";

export type Conversation = Schema<"Conversation">;
export type Handoff = NonNullable<Conversation["handoff"]>;
export type Message = Schema<"Message">;
export type Participant = Schema<"Participant">;
export type Memory = Schema<"Memory">;
export type Channel = Schema<"Channel">;
export type ChannelKind = Channel["kind"];
export type Suggestions = Schema<"Suggestions">;

/** What a message consists of. */
export type Part = Message["parts"][number];
type PartOf<Type extends Part["type"]> = Extract<Part, { type: Type }>;
export type CitationPart = PartOf<"citation">;
export type ToolCallPart = PartOf<"tool_call">;
export type FilePart = PartOf<"file">;
export type ApprovalPart = PartOf<"approval">;
export type NoticePart = PartOf<"notice">;

export interface Turn {
  readonly turn_id: string;
  readonly state:
    | ("queued" | "running" | "awaiting_approval" | "input_required")
    | ("completed" | "failed" | "blocked" | "stopped");
}

/** An event of a conversation's stream: its type, and the data of that type. */
export type ChatEvent = { readonly sequence: number } & (
  | {
      readonly type: "chat.message.created" | "chat.message.completed" | "chat.message.changed";
      readonly data: { readonly message: Message };
    }
  | {
      readonly type: "chat.part.started" | "chat.part.completed";
      readonly data: { readonly message_id: string; readonly index: number; readonly part: Part };
    }
  | {
      readonly type: "chat.part.delta";
      readonly data: { readonly message_id: string; readonly index: number; readonly text: string };
    }
  | { readonly type: "chat.turn.changed"; readonly data: { readonly turn: Turn } }
  | { readonly type: "chat.conversation.changed"; readonly data: { readonly conversation: Partial<Conversation> } }
);
export const chatEventTypes = [
  ...(["chat.message.created", "chat.message.completed", "chat.message.changed"] as const),
  ...(["chat.part.started", "chat.part.delta", "chat.part.completed"] as const),
  ...(["chat.turn.changed", "chat.conversation.changed"] as const),
] as const;
