import type { Fault } from "../../../kernel/errors.ts";
import type { OfferedTool, ReplyFormat, ReplyOptions, ToolChoice } from "../../../kernel/reply-options.ts";
import { pointerOf } from "../parameters.ts";

// How callers of both interfaces say what they want of a reply. The operation that takes the message judges whether they may.

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where the two interfaces have the same in different places. */
interface Form {
  /** The format of the text, and where it stands. */
  readonly format: unknown;
  readonly formatAt: string;
  /** Whether a function's members stand in a member `function`. */
  readonly nested: boolean;
}

export const completionForm = ({ response_format }: Json): Form => ({
  format: response_format,
  formatAt: "/response_format",
  nested: true,
});
export const responseForm = ({ text }: Json): Form => ({
  format: isObject(text) ? text.format : undefined,
  formatAt: "/text/format",
  nested: false,
});

/** Reads the options of a reply; `faults` takes what is wrong with them. */
export function readOptions(body: Json, form: Form, faults: Fault[]): ReplyOptions {
  const stop = readStop(body.stop, faults);
  const format = readFormat(form, faults);
  const tools = readTools(body.tools, form, faults);
  const choice = readChoice(body.tool_choice, form, faults);
  const parallel = body.parallel_tool_calls;
  if (parallel !== undefined && parallel !== null && typeof parallel !== "boolean")
    faults.push({ pointer: "/parallel_tool_calls", code: "invalid_type", detail: "takes a boolean" });
  return {
    ...(stop.length > 0 && { stop }),
    ...(format && { format }),
    ...(tools.length > 0 && { tools, ...(choice && { tool_choice: choice }) }),
    ...(tools.length === 0 && choice && choice !== "none" && choice !== "auto" && { tool_choice: choice }),
    ...(tools.length > 0 && parallel === false && { parallel_tool_calls: false }),
  };
}

function readStop(sent: unknown, faults: Fault[]): readonly string[] {
  if (sent === undefined || sent === null) return [];
  const stop = typeof sent === "string" ? [sent] : sent;
  const fits = Array.isArray(stop) && stop.length <= 4 && stop.every((one) => typeof one === "string" && one !== "");
  if (fits) return stop as string[];
  faults.push({ pointer: "/stop", code: "invalid_value", detail: "takes a text, or a list of up to 4, none empty" });
  return [];
}

function readFormat({ format, formatAt, nested }: Form, faults: Fault[]): ReplyFormat | null {
  if (format === undefined || format === null) return null;
  const { type } = isObject(format) ? format : { type: undefined };
  if (type === "text") return null;
  if (type === "json_object") return { type };
  const said = type === "json_schema" && isObject(format) ? (nested ? format.json_schema : format) : undefined;
  if (isObject(said) && typeof said.name === "string" && isObject(said.schema))
    return { type: "json_schema", name: said.name, schema: withoutDialect(said.schema) };
  const detail =
    type === "json_schema"
      ? "takes a `name` and a `schema` that is an object"
      : "takes the types text, json_object and json_schema";
  faults.push({ pointer: formatAt, code: "unsupported_value", detail });
  return null;
}

/** Without the dialect that libraries name: schemas are read as those of 2020-12. */
function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

function readTools(sent: unknown, { nested }: Form, faults: Fault[]): OfferedTool[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent)) {
    faults.push({ pointer: "/tools", code: "invalid_type", detail: "takes a list of functions" });
    return [];
  }
  return sent.flatMap((tool: unknown, index) => {
    const at = pointerOf("tools", index);
    if (!isObject(tool) || tool.type !== "function") {
      const detail = "takes functions alone: what OpenAI hosts is not here, and the agent has the tools of its version";
      faults.push({ pointer: `${at}/type`, code: "unsupported_value", detail });
      return [];
    }
    const said = nested ? tool.function : tool;
    if (isObject(said) && typeof said.name === "string") return [offered(said.name, said)];
    faults.push({ pointer: nested ? `${at}/function` : `${at}/name`, code: "required", detail: "needs a name" });
    return [];
  });
}

const offered = (name: string, { description, parameters }: Json): OfferedTool => ({
  name,
  ...(typeof description === "string" && { description: description.slice(0, 2_000) }),
  ...(isObject(parameters) && { parameters: withoutDialect(parameters) }),
});

function readChoice(sent: unknown, { nested }: Form, faults: Fault[]): ToolChoice | null {
  if (sent === undefined || sent === null) return null;
  if (sent === "auto" || sent === "none" || sent === "required") return sent;
  const said = isObject(sent) && sent.type === "function" ? (nested ? sent.function : sent) : undefined;
  if (isObject(said) && typeof said.name === "string") return { name: said.name };
  faults.push({
    pointer: "/tool_choice",
    code: "unsupported_value",
    detail: "takes auto, none, required, or the name of one function",
  });
  return null;
}
