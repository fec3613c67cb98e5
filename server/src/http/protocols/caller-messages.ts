import type { Fault } from "../../kernel/errors.ts";
import { pointerOf } from "./parameters.ts";

/** What a function of the caller's returned. `pointer`: where the caller says it. */
export interface CallerResult {
  readonly id: string;
  readonly output: string;
  readonly pointer: string;
}

/** What a caller says: the message to answer, and what went before. */
export interface CallerMessages {
  /** The latest message of the user; empty where results are brought. */
  readonly text: string;
  /** Images of the message to answer, in base64. */
  readonly images: readonly string[];
  /** Results of functions, where the messages end with them: the reply that called these goes on. Empty: none. */
  readonly results: readonly CallerResult[];
  readonly history: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  /** What the caller gives the model besides; null: nothing. It is data for the agent, as is the history. */
  readonly system: string | null;
}

export type Read<T> = { readonly faults: readonly Fault[] } | { readonly value: T };

/** As many messages of a history, and characters of one, as a conversation takes. */
const mostMessages = 200;
const mostImages = 10;
const longestText = 32_000;

const roles: Readonly<Record<string, Said["role"]>> = {
  ...({ user: "user", assistant: "assistant", system: "system", developer: "system" } as const),
  // A result that was answered before is a part of the history, as the answers are.
  tool: "assistant",
};
const textParts: Readonly<Record<string, string>> = {
  text: "text",
  input_text: "text",
  output_text: "text",
  refusal: "refusal",
};

/** Reads messages as chat interfaces have them: a role, and content that is text or a list of parts with text. */
export function readMessages(messages: unknown, at: string): Read<CallerMessages> {
  if (!Array.isArray(messages) || messages.length === 0)
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes a list of messages, at least one" }] };
  const read = messages.map((message, index) => readMessage(message, `${at}${pointerOf(index)}`));
  const all = read.flatMap((one) => ("value" in one ? [one.value] : []));
  const last = all.findLastIndex(({ result }) => result === null) + 1;
  const results = all.slice(last).flatMap(({ result }) => result ?? []);
  const faults = [
    ...read.flatMap((one) => ("faults" in one ? one.faults : [])),
    ...resultFaults(all.slice(0, last), results, at),
  ];
  if (faults.length > 0) return { faults };
  if (results.length > 0) return { value: { text: "", images: [], results, history: [], system: null } };
  return arrange(
    all.filter(({ text }) => text !== ""),
    at,
  );
}

interface Said {
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly images: readonly string[];
  /** Of a tool. */
  readonly result: CallerResult | null;
  /** Ids of the calls that it asked for. */
  readonly calls: readonly string[];
}

/** What is wrong with results at the end, beside the calls before them, as far as the caller sent these. */
function resultFaults(before: readonly Said[], results: readonly CallerResult[], at: string): Fault[] {
  const first = before.findLastIndex(({ calls }) => calls.length === 0) + 1;
  const asked = before.slice(first).flatMap(({ calls }) => calls);
  if (results.length === 0) return [];
  const brought = new Set(results.map(({ id }) => id));
  const missing = asked
    .filter((id) => !brought.has(id))
    .map((id): Fault => {
      return { pointer: at, code: "missing_result", detail: `lacks the result of ${id}: add a message of its tool` };
    });
  const wrong = results.flatMap(({ id, pointer }, place): Fault[] => {
    if (results.findIndex((other) => other.id === id) < place)
      return [{ pointer, code: "duplicate_call", detail: `brings the result of ${id} a second time; leave it out` }];
    if (asked.length === 0 || asked.includes(id)) return [];
    return [{ pointer, code: "unknown_call", detail: `names no call of the message before it: ${id}` }];
  });
  return [...missing, ...wrong];
}

/** What the user said since the last answer is the message; what was said before is the history. */
function arrange(said: readonly Said[], at: string): Read<CallerMessages> {
  const turns = said.flatMap(({ role, text, images }) => (role === "system" ? [] : [{ role, text, images }]));
  const answered = turns.findLastIndex(({ role }) => role === "assistant") + 1;
  const text = joined(turns.slice(answered));
  const images = turns.slice(answered).flatMap((turn) => turn.images);
  const history = turns.slice(0, answered).map(({ role, text }) => ({ role, text }));
  const system = joined(said.filter(({ role }) => role === "system"));
  const fault = (code: string, detail: string): Read<never> => ({ faults: [{ pointer: at, code, detail }] });
  if (text === "") return fault("invalid_value", "ends with a message of the user that has text; add one");
  if (text.length > longestText)
    return fault("too_long", `ends with more than ${longestText} characters of the user; send fewer`);
  if (images.length > mostImages)
    return fault("too_many", `ends with more than ${mostImages} images of the user; send fewer`);
  if (history.length > mostMessages)
    return fault(
      "too_long",
      `has more than ${mostMessages} messages before the last; leave out old ones, or continue a conversation`,
    );
  return { value: { text, images, results: [], history, system: system === "" ? null : system } };
}

const joined = (said: readonly { readonly text: string }[]): string => said.map(({ text }) => text).join("\n\n");

function readMessage(message: unknown, at: string): Read<Said> {
  if (typeof message !== "object" || message === null)
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes an object with role and content" }] };
  const { role, content, tool_calls: sent, tool_call_id: id } = message as Record<string, unknown>;
  const known = typeof role === "string" && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known === undefined)
    return {
      faults: [
        {
          pointer: `${at}/role`,
          code: "unsupported_value",
          detail: "takes system, developer, user, assistant or tool",
        },
      ],
    };
  const calls = callsOf(sent, `${at}/tool_calls`);
  if ("faults" in calls) return calls;
  const images: string[] = [];
  const read = calls.value.length > 0 ? (content ?? "") : content;
  const text = textOf(read, `${at}/content`, known === "user" ? images : null);
  if ("faults" in text) return text;
  const most = role === "tool" ? longestResult : longestText;
  if (text.value.length > most)
    return { faults: [{ pointer: `${at}/content`, code: "too_long", detail: `takes up to ${most} characters` }] };
  if (role !== "tool") {
    const said = [text.value, ...calls.value.map(({ text }) => text)].filter((one) => one !== "").join("\n");
    return { value: { role: known, text: said, images, result: null, calls: calls.value.map((call) => call.id) } };
  }
  const pointer = `${at}/tool_call_id`;
  if (typeof id !== "string")
    return {
      faults: [{ pointer, code: "required", detail: "is required of a message of a tool: the id of its call" }],
    };
  const result = { id, output: text.value, pointer };
  return {
    value: {
      role: known,
      text: `[Result of ${id}: ${text.value.slice(0, longestText / 2)}]`,
      images,
      result,
      calls: [],
    },
  };
}

/** Characters of what one function returned. */
const longestResult = 100_000;

/** Calls that an earlier answer asked for, as the history tells of them. */
function callsOf(sent: unknown, at: string): Read<readonly { readonly id: string; readonly text: string }[]> {
  if (sent === undefined || sent === null) return { value: [] };
  if (!Array.isArray(sent)) return { faults: [{ pointer: at, code: "invalid_type", detail: "takes a list of calls" }] };
  const faults: Fault[] = [];
  const calls = sent.flatMap((call: unknown, index) => {
    const { id, function: named } = (call ?? {}) as {
      id?: unknown;
      function?: { name?: unknown; arguments?: unknown };
    };
    if (typeof id === "string" && typeof named?.name === "string")
      return {
        id,
        text: `[Call of ${named.name} as ${id}: ${String(named.arguments ?? "").slice(0, longestText / 4)}]`,
      };
    const detail = "takes an object with `id` and `function`, as it was returned";
    faults.push({ pointer: `${at}${pointerOf(index)}`, code: "invalid_value", detail });
    return [];
  });
  return faults.length > 0 ? { faults } : { value: calls };
}

/** `images` takes those among the parts; null: there may be none. */
function textOf(content: unknown, at: string, images: string[] | null): Read<string> {
  if (typeof content === "string") return { value: content };
  if (!Array.isArray(content))
    return { faults: [{ pointer: at, code: "invalid_type", detail: "takes text, or a list of parts with text" }] };
  const faults: Fault[] = [];
  const texts = content.map((part: unknown, index) => {
    const { type, ...members } = (typeof part === "object" && part !== null ? part : {}) as Record<string, unknown>;
    const text = typeof type === "string" && Object.hasOwn(textParts, type) ? members[textParts[type] as string] : null;
    if (typeof text === "string") return text;
    const image = images && (type === "image_url" || type === "input_image") ? imageOf(members.image_url) : null;
    if (image && "data" in image) {
      images?.push(image.data);
      return "";
    }
    if (image) {
      faults.push({ pointer: `${at}${pointerOf(index)}`, code: "unsupported_value", detail: image.detail });
      return "";
    }
    faults.push({
      pointer: `${at}${pointerOf(index)}`,
      code: "unsupported_value",
      detail:
        "takes parts with text, and images of the user; attach other files to the conversation (POST /v1/chat/conversations/{conversation}/files)",
    });
    return "";
  });
  return faults.length > 0 ? { faults } : { value: texts.filter((text) => text !== "").join("\n") };
}

/** An image of a part: in completions an object with its address, in responses the address itself. */
function imageOf(sent: unknown): { readonly data: string } | { readonly detail: string } {
  const url = typeof sent === "string" ? sent : (sent as { url?: unknown } | null | undefined)?.url;
  const data = typeof url === "string" ? /^data:image\/[a-z0-9.+-]+;base64,(.+)$/s.exec(url)?.[1] : undefined;
  if (data !== undefined) return { data };
  const detail =
    typeof url === "string" && /^https?:/.test(url)
      ? "takes no addresses: this service fetches nothing for callers. Send the image itself, as a data URL"
      : "takes an image as a data URL in base64, such as data:image/png;base64,…";
  return { detail };
}
