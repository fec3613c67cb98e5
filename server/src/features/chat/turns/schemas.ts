import { type Static, Type } from "typebox";
import { closed } from "../../../kernel/schema-words.ts";

// How a caller wants a reply, and the results of the caller's functions, on the wire.

export const functionName = Type.String({
  pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
  description: "The function's name, as the model calls it.",
});
const JsonSchema = (of: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description: `JSON Schema (2020-12) of ${of}.` });

export const ReplyFormat = Type.Union(
  [
    Type.Object({ type: Type.Literal("json_object") }, closed),
    Type.Object(
      {
        type: Type.Literal("json_schema"),
        name: Type.String({ minLength: 1, maxLength: 64 }),
        schema: JsonSchema("the reply, which is an object"),
      },
      closed,
    ),
  ],
  {
    description: "The text of the reply is one JSON object. The agent's version says whether callers may ask for that.",
  },
);

export const OfferedTool = Type.Object(
  {
    name: functionName,
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    parameters: Type.Optional(JsonSchema("its arguments")),
  },
  closed,
);

export const ReplyOptions = Type.Object(
  {
    stop: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 4,
        description: "The text ends before the first of these, after filters and policies have seen all of it.",
      }),
    ),
    format: Type.Optional(ReplyFormat),
    tools: Type.Optional(
      Type.Array(OfferedTool, {
        maxItems: 64,
        description:
          "Functions that the caller runs. The agent's version names those that it may call, and whether they write. A call ends the turn as `input_required`; " +
          "bring its result with `POST /v1/chat/conversations/{conversation}/results`.",
      }),
    ),
    tool_choice: Type.Optional(
      Type.Union([Type.Enum(["auto", "none", "required"] as const), Type.Object({ name: functionName }, closed)], {
        description: "Which of `tools` has to be called before the agent answers.",
      }),
    ),
    images: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "The model sees the images among `files` (PNG, JPEG, GIF, WebP). The agent's version says whether callers may bring any.",
      }),
    ),
    parallel_tool_calls: Type.Optional(
      Type.Boolean({ default: true, description: "Whether several of `tools` may be called at once." }),
    ),
  },
  { ...closed, description: "How the reply is wanted. Kept with the turn." },
);
export type ReplyOptions = Static<typeof ReplyOptions>;

export const ToolResultsBody = Type.Object(
  {
    turn_id: Type.String({ pattern: "^tur_[0-9a-z]{26}$", description: "The turn whose calls they are, `tur_…`." }),
    results: Type.Array(
      Type.Object(
        {
          call_id: Type.String({ maxLength: 64, description: "The `call_id` of the call's part." }),
          output: Type.String({ maxLength: 100_000, description: "What the function returned, as text or JSON." }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 64, description: "One for each call that waits." },
    ),
  },
  closed,
);
export type ToolResultsBody = Static<typeof ToolResultsBody>;
