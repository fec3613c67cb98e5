import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of chat.

export const handoverRows = shareRows(
  "chat_handovers",
  "organization",
  "environment",
  "id",
  "agent",
  "team",
  "cause",
  "requested_at",
  "waiting_due_at",
  "answer_due_at",
  "taken_at",
  "answered_at",
  "ended_at",
  "waiting_breached_at",
  "answer_breached_at",
);
