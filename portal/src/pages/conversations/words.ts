import type { Conversation, Message, NoticePart, Part } from "../../api/chat-types.ts";
import type { Tone } from "../../ui/badge.tsx";

/** What a conversation is called: its title, else who writes. */
export const titleOf = ({ title, user, agent }: Pick<Conversation, "title" | "user" | "agent">): string =>
  title ?? (user === null ? `With ${agent}` : `${user} with ${agent}`);

/** Whether people were asked for and nobody took it yet. */
export const isWaiting = ({ handler, handoff, state }: Pick<Conversation, "handler" | "handoff" | "state">): boolean =>
  state === "open" && handler.kind === "agent" && handoff?.to === "person" && handoff.taken_at === null;

export type Standing = readonly [word: string, tone: Tone];
/** How a conversation stands, in a few words. */
export function standingOf(conversation: Conversation): Standing {
  const { state, handler, busy, held_by } = conversation;
  if (state === "closed") return ["Closed", "neutral"];
  if (isWaiting(conversation)) return ["Waiting for a person", "warn"];
  if (handler.kind === "person") return [`With ${handler.name}`, "info"];
  if (held_by) return [held_by.kind === "approval" ? "Waiting for approval" : "Held", "warn"];
  return busy ? ["Agent is answering", "accent"] : ["With the agent", "good"];
}

export const roleWords: Readonly<Record<Message["role"], string>> = {
  user: "User",
  agent: "AI agent",
  person: "Person",
  system: "Service",
};

const statusWords: Readonly<Partial<Record<Message["status"], Standing>>> = {
  queued: ["Waits for its turn", "info"],
  streaming: ["Being written", "accent"],
  waiting: ["Waiting for people", "warn"],
  stopped: ["Stopped", "neutral"],
  failed: ["Failed", "bad"],
};
/** What has to be said of a message's state; undefined: it is complete. A reply that waits for its user's answer waits for no people. */
export function messageStanding({ status, parts }: Pick<Message, "status" | "parts">): Standing | undefined {
  if (status === "waiting" && questionOf(parts)) return ["Waiting for an answer", "warn"];
  return statusWords[status];
}

/** The question that ends a message; undefined: none. */
export const questionOf = (parts: readonly Part[]): NoticePart | undefined =>
  parts.findLast((part): part is NoticePart => part.type === "notice" && part.code === "question");

export const noticeTones: Readonly<Record<string, "info" | "warn" | "bad" | "good">> = {
  question: "warn",
  handoff: "warn",
  returned: "good",
  policy: "bad",
  failed: "bad",
  links_removed: "warn",
  stopped: "warn",
};

export const channelWords: Readonly<Record<string, string>> = {
  api: "API",
  portal: "Portal",
  web: "Web",
  email: "E-mail",
};
export const channelWord = (channel: string): string => channelWords[channel] ?? channel;
