import { type Static, Type } from "typebox";
import { closed, nullable } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName } from "./schemas.ts";

export const PREVIEW_SECONDS = 60;

export const PreviewBody = Type.Object(
  {
    task: Type.String({ minLength: 1, maxLength: 64, description: "The skill." }),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "Its input." }),
    version: Type.Optional(ordinal("The version to run; the draft if omitted.")),
    fixtures: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 100,
        description: "Outputs by the tool's name, returned instead of calling the tool.",
      }),
    ),
    reads: Type.Optional(
      Type.Enum(["call", "fixtures"] as const, {
        default: "call",
        description: "Whether reading tools without a fixture are called. Writing tools never are.",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: 0,
        description: "For models that can repeat an answer.",
      }),
    ),
  },
  closed,
);
export type PreviewBody = Static<typeof PreviewBody>;

export const PreviewCall = Type.Object({
  tool: Type.String(),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  outcome: Type.Enum(["read", "fixture", "withheld", "refused", "failed"] as const, {
    description:
      "`read`: the tool was called. `withheld`: it writes, or had no fixture, and was not called. `refused`: by a policy, a budget or a kill switch.",
  }),
  result: Type.Unknown({ description: "What the model received; code and detail of a refusal or failure." }),
});
export type PreviewCall = Static<typeof PreviewCall>;

export const PreviewFinding = Type.Object({
  severity: Type.Enum(["error", "warning", "info"] as const),
  code: Type.String(),
  detail: Type.String(),
});
export type PreviewFinding = Static<typeof PreviewFinding>;

export const Preview = Type.Object(
  {
    agent: AgentName,
    version: nullable(Type.Integer(), "The version that ran; null for the draft."),
    task: Type.String(),
    status: Type.Enum(["completed", "failed"] as const),
    output: nullable(Type.Record(Type.String(), Type.Unknown()), "Null where it failed."),
    failure: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed."),
    calls: Type.Array(PreviewCall, { description: "Tool calls, in their order." }),
    steps: Type.Integer({ description: "Turns of the model and calls of tools." }),
    tokens: Type.Integer(),
    cost_usd: Type.Number({ description: "The cost, which counts against the budgets of agent and environment." }),
    ms: Type.Integer({ description: "How long it took, in milliseconds." }),
    findings: Type.Array(PreviewFinding, { description: "What to look at." }),
  },
  { description: "A run of a skill without a task. It is not stored." },
);
export type Preview = Static<typeof Preview>;
