import type { Message, Part, Turn } from "../../features/chat/schemas.ts";
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
      return approvalText(turn, message);
    case "input_required":
      return questionText(message);
    case "blocked":
    case "stopped":
      return partsOf(message, "notice").at(-1)?.text ?? turn.failure?.detail ?? `The reply was ${turn.state}.`;
    case "queued":
      return withPerson;
    default:
      return null;
  }
}

function approvalText({ task_id: task }: Turn, message: Message | null): string {
  const pending = partsOf(message, "approval").filter(({ state }) => state === "pending");
  const asked = pending.map(({ summary, approve_url }) => `${summary} Decide at ${approve_url}.`);
  return ["People who may approve are asked before this goes on.", ...asked, `Task: ${task}.`].join(" ");
}

/** The question, unless the reply says it in its text. */
function questionText(message: Message | null): string | null {
  const question = partsOf(message, "notice").findLast(({ code }) => code === "question");
  if (!question || textOfReply(message).includes(question.text)) return null;
  const { text, options } = question;
  return options?.length ? `${text} (${options.join(", ")})` : text;
}

/** What is said where a person answers instead of the agent. */
const withPerson = "A person answers this conversation. The answer comes there, not here.";

/** Why a reply failed, in words; null: it did not. */
export function failureOf({ turn, message }: Pick<Ended, "turn" | "message">): { code: string; detail: string } | null {
  if (turn.state !== "failed") return null;
  const notice = partsOf(message, "notice").findLast(({ code }) => code === "failed");
  return {
    code: turn.failure?.code ?? "failed",
    detail: notice?.text ?? turn.failure?.detail ?? "The agent could not answer.",
  };
}
