/** What a message consists of. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | CitationPart
  | ToolCallPart
  | FilePart
  | ApprovalPart
  | NoticePart;
export interface CitationPart {
  readonly type: "citation";
  readonly title: string;
  readonly quote: string;
  readonly base: string | null;
  readonly document_id: string | null;
  readonly chunk_id: string | null;
  readonly url: string | null;
}
export interface ToolCallPart {
  readonly type: "tool_call";
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly state: "running" | "waiting" | "completed" | "failed" | "cancelled";
  readonly result: unknown;
  readonly failure: Failure | null;
}
export interface FilePart {
  readonly type: "file";
  readonly file_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
}
export interface ApprovalPart {
  readonly type: "approval";
  readonly approval_id: string;
  readonly state: "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled";
  readonly summary: string;
  readonly approve_url: string;
}
export interface NoticePart {
  readonly type: "notice";
  readonly code: string;
  readonly text: string;
  readonly options?: readonly string[];
}
export interface Failure {
  readonly code: string;
  readonly detail: string;
}

export interface Message {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly number: number;
  readonly role: "user" | "agent" | "person" | "system";
  readonly author: {
    readonly kind: "user" | "agent" | "person" | "service";
    readonly id: string | null;
    readonly name: string;
  };
  readonly status: "queued" | "streaming" | "waiting" | "complete" | "stopped" | "failed" | "retracted";
  readonly parts: readonly Part[];
  readonly turn_id: string | null;
  readonly task_id: string | null;
  readonly generated: boolean;
  readonly imported: boolean;
  readonly covers: { readonly from: number; readonly to: number } | null;
  readonly replaces: string | null;
  readonly replaced_by: string | null;
  readonly trust_score: number | null;
  readonly audit_ref: string;
  readonly created_at: string;
  readonly completed_at: string | null;
}

export interface Turn {
  readonly turn_id: string;
  readonly state:
    | "queued"
    | "running"
    | "awaiting_approval"
    | "input_required"
    | "completed"
    | "failed"
    | "blocked"
    | "stopped";
  readonly message_id: string;
  readonly reply_id: string | null;
  readonly task_id: string | null;
  readonly failure: Failure | null;
}

export interface Handoff {
  readonly to: "person" | "agent";
  readonly member: string | null;
  readonly reason: string;
  readonly summary: string;
  readonly summary_generated: boolean;
  readonly requested_by: string;
  readonly requested_at: string;
  readonly taken_at: string | null;
}

export interface Conversation {
  readonly conversation_id: string;
  readonly agent: string;
  readonly version: { readonly number: number; readonly version_id: string } | null;
  readonly repin_after_seconds: number;
  readonly state: "open" | "closed";
  readonly handler: {
    readonly kind: "agent" | "person";
    readonly id: string;
    readonly name: string;
    readonly since: string | null;
  };
  readonly handoff: Handoff | null;
  readonly user: string | null;
  readonly channel: string;
  readonly external_key: string | null;
  readonly title: string | null;
  readonly labels: readonly string[];
  readonly language: string | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly busy: boolean;
  readonly waiting: number;
  readonly messages: number;
  readonly sequence: number;
  readonly disclosure: { readonly text: string; readonly delivered_at: string | null } | null;
  readonly forked_from: { readonly conversation_id: string; readonly message_id: string } | null;
  readonly started_by: string;
  readonly revision: number;
  readonly audit_ref: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_message_at: string | null;
  readonly closed_at: string | null;
  readonly erase_at: string | null;
}

export interface Sent {
  readonly message_id: string;
  readonly turn_id: string | null;
  readonly state: "running" | "queued" | "with_person" | "answered";
}

export interface Participant {
  readonly kind: "user" | "agent" | "person";
  readonly id: string | null;
  readonly name: string;
  readonly version: number | null;
  readonly messages: number;
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly active: boolean;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
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
