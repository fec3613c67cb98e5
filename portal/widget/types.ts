// What the widget reads of the interface; the interface says more.

export interface Conversation {
  readonly conversation_id: string;
  readonly agent: string;
  readonly state: "open" | "closed";
  readonly handler: { readonly kind: "agent" | "person"; readonly name: string };
  readonly handoff: {
    readonly to: "person" | "agent";
    readonly taken_at: string | null;
    readonly team: string | null;
    readonly team_title: string | null;
    readonly position: number | null;
    readonly opens_at: string | null;
  } | null;
  readonly busy: boolean;
  readonly sequence: number;
  readonly disclosure: { readonly text: string } | null;
}

export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "citation"; readonly title: string; readonly quote: string; readonly url: string | null }
  | { readonly type: "tool_call"; readonly tool: string; readonly state: ToolState }
  | { readonly type: "file"; readonly file_id: string; readonly name: string; readonly size: number }
  | { readonly type: "approval"; readonly state: ApprovalState; readonly summary: string }
  | { readonly type: "notice"; readonly code: string; readonly text: string; readonly options?: readonly string[] };
export type ToolState = "running" | "waiting" | "completed" | "failed" | "cancelled";
export type ApprovalState = "pending" | "approved" | "rejected" | "changes_requested" | "expired" | "cancelled";

export interface Message {
  readonly message_id: string;
  readonly number: number;
  readonly role: "user" | "agent" | "person" | "system";
  readonly author: { readonly name: string };
  readonly status: "queued" | "streaming" | "waiting" | "complete" | "stopped" | "failed" | "retracted";
  readonly parts: readonly Part[];
  readonly replaced_by: string | null;
  readonly created_at: string;
}

export interface StreamEvent {
  readonly id: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own data
  readonly data: any;
}
