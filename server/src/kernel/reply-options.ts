// How a caller wants one reply of a conversation, besides the message itself.

type Json = Readonly<Record<string, unknown>>;

/** What the text of a reply has to be. */
export type ReplyFormat =
  | { readonly type: "json_object" }
  /** `schema`: JSON Schema (2020-12). */
  | { readonly type: "json_schema"; readonly name: string; readonly schema: Json };

/** A function that the caller runs: the service hands a call out, and the caller brings the result. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; left out: any object. */
  readonly parameters?: Json;
}

/** Which of the caller's tools have to be called before the agent answers. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export interface ReplyOptions {
  /** The text ends before the first of these. */
  readonly stop?: readonly string[];
  readonly format?: ReplyFormat;
  readonly tools?: readonly OfferedTool[];
  readonly tool_choice?: ToolChoice;
  /** Whether the model sees the images among the message's files. */
  readonly images?: boolean;
  /** False: one call of the caller's tools at a time. */
  readonly parallel_tool_calls?: boolean;
}

/** The JSON Schema that a text in this format fits. */
export const schemaOfFormat = (format: ReplyFormat): Json =>
  format.type === "json_schema" ? format.schema : anyObject;
const anyObject: Json = Object.freeze({ type: "object" });

/** A rule for the names of tools: a name, or the beginning of names with `*` behind it. */
export const fitsToolRule = (rule: string, name: string): boolean =>
  rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name;

/** Names that the service itself gives to tools. */
export const reservedTools: ReadonlySet<string> = new Set(["ask", "hand_over"]);
