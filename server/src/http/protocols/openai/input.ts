import { type Fault, refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import type { ReplyOptions } from "../../../kernel/reply-options.ts";
import { type CallerMessages, readMessages } from "../caller-messages.ts";
import { judgeParameters } from "../parameters.ts";
import { completionForm, readOptions, responseForm } from "./options.ts";
import { completionParameters, responseParameters } from "./parameters.ts";
import { conversationOfResponse } from "./response-id.ts";

/** What both interfaces ask for. */
export interface OpenAiInput {
  readonly model: string;
  readonly messages: CallerMessages;
  /** How the reply is wanted. */
  readonly options: ReplyOptions;
  /** The conversation that goes on; null: a new one. */
  readonly conversation: string | null;
  readonly previousResponse: string | null;
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly background: boolean;
  /** Parameters without effect. */
  readonly ignored: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of POST /v1/chat/completions. Throws what is wrong with it. */
export function readCompletionInput(sent: unknown): OpenAiInput {
  const body = bodyOf(sent);
  const { ignored, faults } = judgeParameters(body, completionParameters);
  const all = [...faults];
  const options = readOptions(body, completionForm(body), all);
  return inputOf(body, readMessages(body.messages, "/messages"), {
    faults: all,
    ignored,
    options,
    messages: "messages",
  });
}

/** Reads the body of POST /v1/responses. Throws what is wrong with it. */
export function readResponseInput(sent: unknown): OpenAiInput {
  const body = bodyOf(sent);
  const { ignored, faults } = judgeParameters(body, responseParameters);
  const { input, instructions } = body;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const said = readMessages(Array.isArray(items) ? items.map(messageOf) : items, "/input");
  const read = typeof instructions === "string" && instructions !== "" ? withSystem(said, instructions) : said;
  const all = [...faults];
  const options = readOptions(body, responseForm(body), all);
  return inputOf(body, read, { faults: all, ignored, options, messages: "input" });
}

function withSystem(read: ReturnType<typeof readMessages>, said: string): ReturnType<typeof readMessages> {
  if ("faults" in read) return read;
  const system = read.value.system === null ? said : `${read.value.system}\n\n${said}`;
  return { value: { ...read.value, system } };
}

/** An item of the input as a message; another kind of item stays what it is, and is refused for its role. */
function messageOf(item: unknown): unknown {
  const { type = "message", ...said } = (item ?? {}) as Record<string, unknown>;
  const { call_id: id, name, arguments: given, output } = said;
  if (type === "function_call")
    return { role: "assistant", content: "", tool_calls: [{ id, function: { name, arguments: given } }] };
  if (type === "function_call_output") return { role: "tool", tool_call_id: id, content: output };
  return type === "message" ? item : { role: String(type) };
}

function bodyOf(sent: unknown): Body {
  if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
  throw refuse(invalidBody, "The body takes an object.", {
    errors: [{ pointer: "", code: "invalid_type", detail: "takes an object" }],
  });
}

function inputOf(
  body: Body,
  read: ReturnType<typeof readMessages>,
  { faults: judged, ignored, options, messages }: Judged,
): OpenAiInput {
  const faults = [...judged, ...("faults" in read ? read.faults : []), ...typeFaults(body)];
  const metadata = (body.metadata ?? {}) as Record<string, string>;
  const previousResponse = (body.previous_response_id ?? null) as string | null;
  const conversation = conversationOf(body, metadata, faults);
  if (faults.length > 0 || !("value" in read))
    throw refuse(invalidBody, "The call has what this service does not take.", { errors: faults });
  const { history, system, results } = read.value;
  const user = (body.user ?? body.safety_identifier ?? null) as string | null;
  const continued =
    results.length > 0
      ? Object.keys(body).filter((name) => ofTheMessage.has(name))
      : conversation === null
        ? []
        : continuedWithout(body, { user, history, system }, messages);
  return {
    model: body.model as string,
    messages: read.value,
    options,
    conversation,
    previousResponse,
    user,
    metadata,
    stream: body.stream === true,
    background: body.background === true,
    includeUsage: (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true,
    ignored: [
      ...ignored,
      ...(Object.keys(metadata).some((name) => name !== "conversation") ? ["metadata"] : []),
      ...continued,
    ],
  };
}

interface Judged {
  readonly faults: readonly Fault[];
  readonly ignored: readonly string[];
  readonly options: ReplyOptions;
  readonly messages: "messages" | "input";
}

/** What holds as it was sent with the message whose reply goes on with results. */
const ofTheMessage: ReadonlySet<string> = new Set([
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "text",
  "stop",
  "instructions",
]);

/** What has no effect where a conversation goes on: it has its user and its own history. */
const continuedWithout = (
  body: Body,
  { user, history, system }: { user: string | null } & Pick<CallerMessages, "history" | "system">,
  messages: string,
): string[] => [
  ...(user === null ? [] : ["user"]),
  ...(body.instructions ? ["instructions"] : []),
  ...(history.length > 0 || (system !== null && !body.instructions) ? [messages] : []),
];

function conversationOf(body: Body, metadata: Record<string, string>, faults: Fault[]): string | null {
  const { conversation: given, previous_response_id: previous } = body;
  const named = typeof given === "object" && given !== null ? (given as { id?: unknown }).id : given;
  const ids = [
    ["/conversation", named, typeof named === "string" && isId(named, "cnv") ? named : null],
    ["/previous_response_id", previous, typeof previous === "string" ? conversationOfResponse(previous) : null],
    [
      "/metadata/conversation",
      metadata.conversation,
      isConversation(metadata.conversation) ? metadata.conversation : null,
    ],
  ] as const;
  const sent = ids.filter(([, value]) => value !== undefined && value !== null);
  for (const [pointer, , id] of sent) {
    if (id === null) faults.push({ pointer, code: "invalid_value", detail: "takes an id that this service returned" });
  }
  if (new Set(sent.map(([, , id]) => id)).size > 1)
    faults.push({
      pointer: sent[1]?.[0] ?? "",
      code: "conflicting",
      detail: "names another conversation; send one of them",
    });
  return sent[0]?.[2] ?? null;
}

const isConversation = (value: unknown): value is string => typeof value === "string" && isId(value, "cnv");

const typeFaults = (body: Body): Fault[] => [
  ...expected(body, "model", "string", true),
  ...expected(body, "user", "string"),
  ...expected(body, "safety_identifier", "string"),
  ...expected(body, "instructions", "string"),
  ...expected(body, "stream", "boolean"),
  ...expected(body, "background", "boolean"),
  ...expected(body, "metadata", "object"),
  ...expected(body, "stream_options", "object"),
];

function expected(body: Body, name: string, type: "string" | "boolean" | "object", required = false): Fault[] {
  const value = body[name] ?? undefined;
  if (value === undefined && !required) return [];
  const fits = typeof value === type && !Array.isArray(value);
  return fits
    ? []
    : [{ pointer: `/${name}`, code: "invalid_type", detail: `takes ${type === "object" ? "an" : "a"} ${type}` }];
}
