import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { Time } from "../../../kernel/schema-words.ts";
import { approveUrl, common } from "../decisions/events.ts";
import { ApprovalCommentId } from "./schemas.ts";

const by = (did: string) => Type.String({ description: `Who ${did}, \`mbr_…\`.` });

export const approvalClaimed = defineEvent({
  type: "approval.claimed",
  summary: "A person is working on an approval.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.claimed"),
    ...common,
    by: by("claimed it"),
    until: Time,
    approve_url: approveUrl,
  }),
});

export const approvalReleased = defineEvent({
  type: "approval.released",
  summary: "Nobody has claimed an approval any longer.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.released"),
    ...common,
    by: by("released it"),
    approve_url: approveUrl,
  }),
});

export const approvalExtended = defineEvent({
  type: "approval.extended",
  summary: "An approval waits longer for a decision.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.extended"),
    ...common,
    by: by("extended it"),
    expires_at: Time,
    reason: Type.String(),
    approve_url: approveUrl,
  }),
});

/** `task.cancelled` follows. */
export const approvalWithdrawn = defineEvent({
  type: "approval.withdrawn",
  summary: "Whoever asked for an action no longer wants it.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.withdrawn"),
    ...common,
    by: by("withdrew it"),
    reason: Type.String(),
  }),
});

/** Without the text, which subscribers read by the interface. */
export const approvalCommented = defineEvent({
  type: "approval.commented",
  summary: "A person commented on an approval.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("approval.commented"),
    ...common,
    comment_id: ApprovalCommentId,
    by: by("wrote it"),
    mentions: Type.Array(Type.String(), { description: "Whom it mentions, `mbr_…`." }),
    approve_url: approveUrl,
  }),
});
