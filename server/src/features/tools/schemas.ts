import { type Static, Type } from "typebox";
import { riskLevels } from "../../kernel/risk.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { AgentName, Tool } from "../agents/schemas.ts";

/** Which definition of an agent: its draft, the version that is live, or a version by number. */
export const DefinitionOf = Type.String({
  pattern: "^(draft|live|[1-9][0-9]{0,8})$",
  description: "`draft` (default), `live`, or the number of a version.",
});

const Permission = Type.Enum(["allowed", "denied", "held", "by_arguments", "unused"] as const, {
  description:
    "What policies, kill switches and pauses say of a call now. `by_arguments`: a policy decides by what a call carries. `unused`: no skill may call it.",
});
const ToolApproval = Type.Object(
  {
    mode: Type.Enum(["never", "after_reading", "always"] as const, {
      description: "`after_reading`: in a run that has read text which could have steered it.",
    }),
    approvers: Type.Integer({ description: "How many people have to approve; 0: nobody is asked." }),
    reasons: Type.Array(Type.String()),
  },
  { description: "Whether people are asked before a call, by policies and risk." },
);
const failure = Type.Object({ code: Type.String(), detail: Type.String() });

export const AgentTool = Type.Object(
  {
    tool: Type.String({ description: "Its name." }),
    definition: Tool,
    effect: Type.Enum(["read", "write"] as const, { description: "As it counts in the environment of the key." }),
    runnable: Type.Boolean({ description: "Whether this release can call it." }),
    skills: Type.Array(Type.String(), { description: "The skills that may call it." }),
    permission: Permission,
    reasons: Type.Array(Type.String(), { description: "Why it is denied or held." }),
    approval: ToolApproval,
    risk: Type.Enum(riskLevels, { description: "Of one call, at the trust that a task of the skill starts with." }),
    credentials: nullable(
      Type.Object({ connection: Type.String(), present: Type.Boolean() }),
      "The connection whose credentials it uses, and whether the environment has it; null: none.",
    ),
    last_used_at: nullable(Time, "Among the newest 500 tasks of the agent."),
    last_failed_at: nullable(Time, "Among the newest 500 tasks of the agent."),
    last_failure: nullable(failure),
  },
  { description: "A tool that is bound to an agent." },
);
export type AgentTool = Static<typeof AgentTool>;

export const AgentTools = Type.Object({
  agent: AgentName,
  version: nullable(Type.Integer(), "Null: the draft."),
  tools: Type.Array(AgentTool),
});

export const TestToolBody = Type.Object(
  {
    arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "What the call carries." })),
    version: Type.Optional(DefinitionOf),
    skill: Type.Optional(
      Type.String({ maxLength: 64, description: "In which skill it is called; the first that may, where left out." }),
    ),
  },
  closed,
);
export type TestToolBody = Static<typeof TestToolBody>;

export const ToolTest = Type.Object(
  {
    tool: Type.String(),
    version: nullable(Type.Integer(), "Null: the draft."),
    skill: nullable(Type.String()),
    effect: Type.Enum(["read", "write"] as const),
    permission: Permission,
    reasons: Type.Array(Type.String()),
    approval: ToolApproval,
    called: Type.Boolean({ description: "Whether it was really called. What writes never is." }),
    why_not: nullable(Type.String(), "Why it was not called."),
    request: nullable(
      Type.Object({
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: nullable(Type.String()),
      }),
      "The request that is sent; what the connection adds is shown by name only. Null: it sends none.",
    ),
    output: Type.Optional(Type.Unknown({ description: "What it answered, with what policies redact replaced." })),
    failure: nullable(failure, "Why it failed."),
    milliseconds: Type.Integer(),
  },
  { description: "What a call of the tool would be, and what it answered." },
);
export type ToolTest = Static<typeof ToolTest>;
