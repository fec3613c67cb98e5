import type { HandoffCause } from "../../../kernel/handoff.ts";
import type { InboxSource } from "../../../kernel/inbox.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import type { Handoff, Message } from "../schemas.ts";

export const answerPermission = "chat:answer";

/** Members may; service accounts and widgets may not. */
export function mayAnswer({ kind, role, scopes }: Principal): boolean {
  if (kind !== "member" || role === null) return false;
  return roleGrants(role, answerPermission) && (scopes === null || scopes.includes(answerPermission));
}

/** What the column `handoff` holds. Rows of before 0070 name no team and no cause. */
export interface StoredHandoff
  extends Pick<
    Handoff,
    "to" | "member" | "reason" | "summary" | "summary_generated" | "requested_by" | "requested_at" | "taken_at"
  > {
  readonly team?: string | null;
  readonly cause?: HandoffCause;
  readonly reminded_at?: string;
}

/** Whether a team has the conversation, waiting or answering: until it is returned, the agent does not answer. */
export const teamAnswers = ({ handoff }: { readonly handoff: unknown }): boolean =>
  ((handoff as StoredHandoff | null)?.team ?? null) !== null;

/** Whether people answer, and not the agent. */
export const peopleAnswer = (row: { readonly handler: string | null; readonly handoff: unknown }): boolean =>
  row.handler !== null || teamAnswers(row);

type Said = Pick<Message, "role" | "parts" | "status" | "author">;

const mostQuoted = 300;
const quoted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return `“${flat.length > mostQuoted ? `${flat.slice(0, mostQuoted - 1)}…` : flat}”`;
};

const textIn = ({ parts }: Said): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");

/** How it began, what was asked and answered last, what was done, and what waits for people. */
export function quotedSummary(messages: readonly Said[]): string {
  const spoken = messages.filter((message) => message.status !== "retracted" && textIn(message) !== "");
  const [first, last] = [spoken.find(byUser), spoken.findLast(byUser)];
  const answered = spoken.findLast(({ role }) => role === "agent" || role === "person");
  const parts = messages.flatMap((message) => message.parts);
  const tools = new Set(
    parts.flatMap((part) => (part.type === "tool_call" && part.state === "completed" ? [part.tool] : [])),
  );
  const waiting = parts.flatMap((part) => (part.type === "approval" && part.state === "pending" ? [part.summary] : []));
  const lines = [
    first && `The user began with ${quoted(textIn(first))}`,
    last && last !== first && `They wrote last: ${quoted(textIn(last))}`,
    answered && `${answered.author.name} answered last: ${quoted(textIn(answered))}`,
    tools.size > 0 && `Tools that were used: ${[...tools].join(", ")}.`,
    waiting.length > 0 && `Waits for approval: ${waiting.join("; ")}.`,
  ];
  return lines.filter((line) => typeof line === "string").join("\n") || "Nothing was written yet.";
}

const byUser = ({ role }: Said): boolean => role === "user";

export const waitingHandoffs: InboxSource = {
  kind: "handoff",
  reads: "chat:read",
  acts: answerPermission,
  actors: mayAnswer,
  sql: `select c.id, coalesce(c.title, c.end_user, 'A conversation'), c.handoff ->> 'reason', c.agent, null::text, (c.handoff ->> 'requested_at')::timestamptz,
      null::timestamptz, null::text, null::text, null::text, c.handoff ->> 'member', coalesce(c.handoff ->> 'member' = $4, true), '/conversations/' || c.id
    from chat_conversations c
    where c.organization = $1 and c.environment = $2 and c.state = 'open' and c.handler is null and c.handoff is not null
      and c.handoff ->> 'to' = 'person' and c.handoff ->> 'taken_at' is null and ($3::text[] is null or c.agent = any($3))`,
};
