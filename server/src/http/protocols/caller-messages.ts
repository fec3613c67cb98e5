import type { Fault } from "../../kernel/errors.ts";
import { pointerOf } from "./parameters.ts";

/** What a caller says: the message to answer, and what went before. */
export interface CallerMessages {
  /** The latest message of the user. */
  readonly text: string;
  readonly history: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** What the caller would have the model be told besides; null: nothing. It is data for the agent, as is the history. */
  readonly system: string | null;
}

export type Read<T> = { readonly faults: readonly Fault[] } | { readonly value: T };

/** As many messages of a history, and characters of one, as a conversation takes. */
const mostMessages = 200;
const longestText = 32_000;

const roles: Readonly<Record<string, "user" | "assistant" | "system">> = {
  ...({ user: "user", assistant: "assistant", system: "system", developer: "system" } as const),
};
const textParts: Readonly<Record<string, string>> = {
  ...{ text: "text", input_text: "text", output_text: "text", refusal: "refusal" },
};

/** Reads messages as chat interfaces have them: a role, and content that is text or a list of parts with text. */
export function readMessages(messages: unknown, at: string): Read<CallerMessages> {
  if (!Array.isArray(messages) || messages.length === 0)
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes a list of messages, at least one" }] };
  const read = messages.map((message, index) => readMessage(message, `${at}${pointerOf(index)}`));
  const faults = read.flatMap((one) => ("faults" in one ? one.faults : []));
  if (faults.length > 0) return { faults };
  const said = read.flatMap((one) => ("value" in one && one.value.text !== "" ? [one.value] : []));
  return arrange(said, at);
}

type Said = { readonly role: "user" | "assistant" | "system"; readonly text: string };

/** What the user said since the last answer is the message; what was said before is the history. */
function arrange(said: readonly Said[], at: string): Read<CallerMessages> {
  const turns = said.flatMap(({ role, text }) => (role === "system" ? [] : [{ role, text }]));
  const answered = turns.findLastIndex(({ role }) => role === "assistant") + 1;
  const text = joined(turns.slice(answered));
  const history = turns.slice(0, answered);
  const system = joined(said.filter(({ role }) => role === "system"));
  const fault = (code: string, detail: string): Read<never> => ({ faults: [{ pointer: at, code, detail }] });
  if (text === "") return fault("invalid_value", "ends with a message of the user that has text; add one");
  if (text.length > longestText)
    return fault("too_long", `ends with more than ${longestText} characters of the user; send fewer`);
  if (history.length > mostMessages)
    return fault(
      "too_long",
      `has more than ${mostMessages} messages before the last; leave out old ones, or continue a conversation`,
    );
  return { value: { text, history, system: system === "" ? null : system } };
}

const joined = (said: readonly { readonly text: string }[]): string => said.map(({ text }) => text).join("\n\n");

function readMessage(message: unknown, at: string): Read<Said> {
  if (typeof message !== "object" || message === null)
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes an object with role and content" }] };
  const { role, content, tool_calls: calls } = message as Record<string, unknown>;
  const known = typeof role === "string" && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known === undefined || (Array.isArray(calls) && calls.length > 0))
    return {
      faults: [{ pointer: known ? `${at}/tool_calls` : `${at}/role`, code: "unsupported_value", detail: noTools }],
    };
  const text = textOf(content, `${at}/content`);
  if ("faults" in text) return text;
  if (text.value.length > longestText)
    return {
      faults: [{ pointer: `${at}/content`, code: "too_long", detail: `takes up to ${longestText} characters` }],
    };
  return { value: { role: known, text: text.value } };
}

const noTools =
  "takes messages of system, developer, user and assistant without tool calls: the agent has its own tools, and callers bring none";

function textOf(content: unknown, at: string): Read<string> {
  if (typeof content === "string") return { value: content };
  if (!Array.isArray(content))
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes text, or a list of parts with text" }] };
  const faults: Fault[] = [];
  const texts = content.map((part: unknown, index) => {
    const { type, ...members } = (typeof part === "object" && part !== null ? part : {}) as Record<string, unknown>;
    const text = typeof type === "string" && Object.hasOwn(textParts, type) ? members[textParts[type] as string] : null;
    if (typeof text === "string") return text;
    faults.push({
      pointer: `${at}${pointerOf(index)}`,
      code: "unsupported_value",
      detail:
        "takes parts with text alone; attach files to the conversation (POST /v1/chat/conversations/{conversation}/files)",
    });
    return "";
  });
  return faults.length > 0 ? { faults } : { value: texts.join("\n") };
}
