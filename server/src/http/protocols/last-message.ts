import { type Fault, refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";
import { readMessages } from "./caller-messages.ts";

/** An object that a client sent, or the refusal of anything else. */
export function objectOf(sent: unknown): Record<string, unknown> {
  if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Record<string, unknown>;
  throw unfit([{ pointer: "", code: "invalid_type", detail: "takes an object" }]);
}

export const unfit = (errors: readonly Fault[]) =>
  refuse(invalidBody, "The call has what this service does not take.", { errors });

/** The text of the message that is to be answered, the last of a list. Those before it are in the conversation. */
export function lastMessage(messages: unknown): {
  readonly text: string;
  readonly id: string | null;
  readonly faults: readonly Fault[];
} {
  const at = "/messages";
  if (!Array.isArray(messages) || messages.length === 0)
    return {
      text: "",
      id: null,
      faults: [{ pointer: at, code: "invalid_type", detail: "takes a list of messages, at least one" }],
    };
  const index = messages.length - 1;
  const { id, role, content, parts } = (messages[index] ?? {}) as Record<string, unknown>;
  if (role !== "user")
    return {
      text: "",
      id: null,
      faults: [
        {
          pointer: `${at}/${index}`,
          code: "unsupported_value",
          detail: "takes a message of the user as the last; tools of clients are not called",
        },
      ],
    };
  const read = readMessages([{ role, content: parts ?? content }], at);
  const named = typeof id === "string" ? id : null;
  if (!("faults" in read) && read.value.images.length === 0) return { text: read.value.text, id: named, faults: [] };
  const faults = "faults" in read ? read.faults : [noImages];
  const place = (pointer = at): string => pointer.replace(`${at}/0`, `${at}/${index}`);
  return { text: "", id: named, faults: faults.map((fault) => ({ ...fault, pointer: place(fault.pointer) })) };
}

const noImages: Fault = {
  pointer: "/messages/0",
  code: "unsupported_value",
  detail: "takes text alone; attach files to the conversation (POST /v1/chat/conversations/{conversation}/files)",
};

/** The client's name of a conversation. */
export function nameFaults(value: unknown, pointer: string): Fault[] {
  const fits = typeof value === "string" && value.length > 0 && value.length <= 200;
  return fits ? [] : [{ pointer, code: "invalid_value", detail: "takes 1 to 200 characters" }];
}
