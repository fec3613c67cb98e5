import { languageOfText, noticeTexts } from "@aos/user-texts";
import type { Message, Part } from "../../features/chat/schemas.ts";
import type { ReplyStep } from "./reply-steps.ts";

// What a reply comes to for clients that know nothing but text.

type Ended = Extract<ReplyStep, { readonly kind: "ended" }>;

/** The text of a reply, without what its notices say. */
export const textOfReply = (message: Message | null): string =>
  partsOf(message, "text")
    .map(({ text }) => text)
    .join("\n\n");

/** The parts of one type. */
export function partsOf<T extends Part["type"]>(
  message: Message | null,
  type: T,
): Extract<Part, { readonly type: T }>[] {
  return (message?.parts ?? []).filter((part): part is Extract<Part, { readonly type: T }> => part.type === type);
}

/** What is to be said of how a reply ended, besides its text; null: nothing. */
export function closingText({ turn, message }: Pick<Ended, "turn" | "message">): string | null {
  switch (turn.state) {
    case "awaiting_approval":
      return approvalText(message);
    case "input_required":
      return questionText(message);
    case "blocked":
    case "stopped":
      return partsOf(message, "notice").at(-1)?.text ?? turn.failure?.detail ?? endText(turn.state, message);
    case "queued":
      return textsFor(message).withPerson;
    default:
      return null;
  }
}

/** Neither what the agent is called inside, nor what it asks to run: clients show this to end users. */
function approvalText(message: Message | null): string {
  const pending = partsOf(message, "approval").filter(({ state }) => state === "pending");
  return [textsFor(message).awaiting, ...pending.map(({ approve_url }) => approve_url)].join(" ");
}

const endText = (state: "blocked" | "stopped", message: Message | null): string =>
  textsFor(message)[state === "blocked" ? "blocked" : "cancelled"];

/** In the language of the reply: a message does not name that of its conversation. */
const textsFor = (message: Message | null) => noticeTexts[languageOfText(textOfReply(message)) ?? "en"];

export interface UrlCitation {
  readonly url: string;
  readonly title: string;
  /** Where the reply quotes it, in its text as {@link textOfReply} has it; at the end where it does not. */
  readonly start_index: number;
  readonly end_index: number;
}

/** Sources of a reply that have an address. */
export function urlCitations(message: Message | null): UrlCitation[] {
  const end = textOfReply(message).length;
  return partsOf(message, "citation").flatMap(({ url, title, position }) => {
    if (url === null) return [];
    const before = position ? offsetOf(message as Message, position.part) : end;
    const [from, to] = position ? [position.start, position.end] : [0, 0];
    return [{ url, title, start_index: before + from, end_index: before + to }];
  });
}

/** Where a text part begins in the text of the reply. */
function offsetOf({ parts }: Message, index: number): number {
  const before = parts.slice(0, index).flatMap((part) => (part?.type === "text" ? [part.text.length + 2] : []));
  return before.reduce((sum, length) => sum + length, 0);
}

/** The question, unless the reply says it in its text. */
function questionText(message: Message | null): string | null {
  const question = partsOf(message, "notice").findLast(({ code }) => code === "question");
  if (!question || textOfReply(message).includes(question.text)) return null;
  const { text, options } = question;
  return options?.length ? `${text} (${options.join(", ")})` : text;
}

export type CallForCaller = Extract<Part, { readonly type: "tool_call" }>;

/** The calls that were handed out and wait for their results. */
export const callsForCaller = ({ turn, message }: Pick<Ended, "turn" | "message">): readonly CallForCaller[] =>
  turn.state === "input_required"
    ? partsOf(message, "tool_call").filter(({ by, state }) => by === "caller" && state === "waiting")
    : [];

/** Why a reply does not have the format that was asked for; null: it does, or none was. */
export const refusalOf = ({ turn }: Pick<Ended, "turn">): string | null =>
  turn.failure?.code === "output_invalid"
    ? "The agent could not answer in the format that was asked for. Ask for a simpler one, or for text."
    : null;

/** Why a reply failed, in words; null: it did not. */
export function failureOf({ turn, message }: Pick<Ended, "turn" | "message">): { code: string; detail: string } | null {
  if (turn.state !== "failed") return null;
  const notice = partsOf(message, "notice").findLast(({ code }) => code === "failed");
  return {
    code: turn.failure?.code ?? "failed",
    detail: notice?.text ?? turn.failure?.detail ?? textsFor(message).failed,
  };
}
