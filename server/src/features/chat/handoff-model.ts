import type { Principal } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import type { Message } from "./schemas.ts";

/** Answering in conversations as a person. */
export const answerPermission = "chat:answer";

/** Whether the caller may answer in conversations as a person: members may, service accounts and widgets may not. */
export function mayAnswer({ kind, role, scopes }: Principal): boolean {
  if (kind !== "member" || role === null) return false;
  return roleGrants(role, answerPermission) && (scopes === null || scopes.includes(answerPermission));
}

type Said = Pick<Message, "role" | "parts" | "status" | "author">;

const mostQuoted = 300;
const quoted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return `“${flat.length > mostQuoted ? `${flat.slice(0, mostQuoted - 1)}…` : flat}”`;
};

const textIn = ({ parts }: Said): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");

/** A summary for whoever takes over, quoted from the conversation: how it began, what was asked last, what was answered and done, what waits for people. */
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
