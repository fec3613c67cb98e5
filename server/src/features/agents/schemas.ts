import { type Static, Type } from "typebox";
import { dataClasses } from "../../kernel/risk.ts";

/** A short lowercase word, as the path shape `/v1/agents/{agent}/…` takes it. */
export const agentNamePattern = "^[a-z][a-z0-9-]{0,39}$";
export const AgentName = Type.String({ pattern: agentNamePattern, description: "The agent's name: a short lowercase word." });

const Name = Type.String({ pattern: "^[a-z][a-z0-9_]{0,63}$" });
const closed = { additionalProperties: false } as const;

/** What acting could do at worst; every member left out counts as harmless. */
export const Impact = Type.Object(
  {
    money: Type.Optional(Type.Number({ minimum: 0, description: "Money at stake, in US dollars." })),
    data: Type.Optional(Type.Enum(dataClasses)),
    reversible: Type.Optional(Type.Boolean()),
    external: Type.Optional(Type.Boolean({ description: "Whether it reaches outside the company." })),
    persons: Type.Optional(Type.Integer({ minimum: 0, description: "How many people it affects." })),
  },
  closed,
);

/** Where the agent loop stops by itself. */
export const Limits = Type.Object(
  {
    steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    tokens: Type.Optional(Type.Integer({ minimum: 1 })),
    cost_usd: Type.Optional(Type.Number({ minimum: 0 })),
  },
  closed,
);

export const Tool = Type.Object(
  {
    name: Name,
    kind: Type.Literal("record", { description: "`record` looks a record up in a knowledge base by its external id." }),
    base: Type.String(),
    effect: Type.Literal("read"),
    impact: Type.Optional(Impact),
  },
  closed,
);

export const Skill = Type.Object(
  {
    name: Name,
    description: Type.Optional(Type.String()),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema (2020-12) of the input." }),
    output: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema (2020-12) of the output." })),
    instructions: Type.Optional(Type.String()),
    tools: Type.Optional(Type.Array(Name)),
    subject: Type.Optional(Name), // the input field that names whose data a task carries
    impact: Type.Optional(Impact),
    limits: Type.Optional(Limits),
  },
  closed,
);

/** An agent as a file, without its name: what a version freezes. */
export const AgentDefinition = Type.Object(
  {
    description: Type.String(),
    model: Type.Object({ provider: Type.Literal("builtin") }, closed),
    instructions: Type.Optional(Type.String()),
    knowledge: Type.Optional(Type.Array(Type.String())),
    tools: Type.Array(Tool),
    skills: Type.Array(Skill, { minItems: 1 }),
  },
  closed,
);
export type AgentDefinition = Static<typeof AgentDefinition>;
export type SkillDefinition = Static<typeof Skill>;
export type ToolDefinition = Static<typeof Tool>;
export type ImpactDefinition = Static<typeof Impact>;

const Time = Type.String({ format: "date-time" });

/** An agent as it is listed and read. */
export const Agent = Type.Object({
  agent: AgentName,
  description: Type.String(),
  owner: Type.String(),
  labels: Type.Array(Type.String()),
  status: Type.Union([Type.Literal("deployed"), Type.Literal("draft"), Type.Literal("archived")], {
    description: "In the environment of the key: deployed, or only a draft; archived in all.",
  }),
  deployment: Type.Union([
    Type.Object({ deployment_id: Type.String(), version: Type.Integer(), version_id: Type.String(), since: Time }),
    Type.Null(),
  ]),
  definition: AgentDefinition,
  revision: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Agent = Static<typeof Agent>;
