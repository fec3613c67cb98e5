import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { shortened } from "@aos/text";
import { type AnswerPart, argumentsOf, type CallPart } from "./transcript.ts";
import type { Turn } from "./turn.ts";

// What was said, in the form of OpenTelemetry's conventions for generative AI: JSON in attributes. Only where the operator asked for it, and only as the model
// saw it: what policies keep from the model stands there as placeholders, and credentials never reach it.

/** Characters of one attribute at most; a collector's own limits are usually lower. */
const most = 65_536;

const text = (value: unknown): string => {
  const whole = JSON.stringify(value) ?? "null";
  return shortened(whole, most);
};

/** Instructions, messages and tools of a request. */
export function askedOf({ prompt, tools }: LanguageModelV4CallOptions): Readonly<Record<string, string>> {
  const system = prompt.flatMap((message) =>
    message.role === "system" ? [{ type: "text", content: message.content }] : [],
  );
  return {
    ...(system.length === 0 ? {} : { "gen_ai.system_instructions": text(system) }),
    "gen_ai.input.messages": text(prompt.filter(({ role }) => role !== "system").map(messageOf)),
    ...(tools === undefined ? {} : { "gen_ai.tool.definitions": text(tools) }),
  };
}

type Message = LanguageModelV4Prompt[number];

function messageOf({ role, content }: Message): object {
  if (typeof content === "string") return { role, parts: [{ type: "text", content }] };
  return { role, parts: content.map(partOf) };
}

function partOf(part: Exclude<Message["content"], string>[number]): object {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.toolCallId, response: part.output };
    default:
      return { type: part.type };
  }
}

/** What a turn answered. */
export function answerSeen({ parts, finish }: Turn): string {
  return text([{ role: "assistant", parts: parts.map(answered), finish_reason: finish.replaceAll("-", "_") }]);
}

function answered(part: AnswerPart): object {
  if (part.type !== "tool-call") return { type: part.type, content: part.text };
  return { type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: argumentsOf(part) };
}

/** The arguments of a call, as the model wrote them. */
export const argumentsSeen = (call: CallPart): string => text(argumentsOf(call));

/** What a tool answered, as the model is shown it. */
export const resultSeen = (data: unknown): string => text(data);
