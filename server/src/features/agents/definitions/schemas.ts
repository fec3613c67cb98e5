import { type Static, Type } from "typebox";
import { agentNamePattern } from "../../../kernel/agent-name.ts";
import { dataClasses } from "../../../kernel/risk.ts";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { TITLE_LIMITS } from "../../../kernel/title.ts";
import { HandoffDefinition } from "./handoff-schemas.ts";

// The one source for validation, types and OpenAPI of what a file holds and a version freezes.

/** How many of each a definition may have: what one file can hold and a person can still review. */
export const DEFINITION_LIMITS = { tools: 100, skills: 50, examples: 1000, knowledge: 100, labels: 20 } as const;

export const textOf = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
export const integerIn = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

export const AgentName = Type.String({
  pattern: agentNamePattern,
  description: "The agent's name: a short lowercase word.",
});

const Name = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,63}$",
  description: "A name of lowercase letters, digits and `_`.",
});
const BaseName = textOf(64, "A knowledge base, by name.");
const ConnectionName = Type.String({
  pattern: "^[a-z][a-z0-9_-]{0,63}$",
  description: "The connection that holds the credentials, by name. A definition holds no secret.",
});
const Description = Type.String({ maxLength: 2000, description: "What it does, in words." });
const Title = (of: string) =>
  Type.String({
    minLength: 1,
    maxLength: TITLE_LIMITS.template,
    description: `What ${of} is about, in one line, such as "Refund {{order_id}} · {{amount | money}}": text, and fields of the input by name or path (\`customer/name\`), each with a format if wanted (money, number, percent, date, upper). Lists, approvals and notifications lead with it.`,
  });
const Instructions = Type.String({ maxLength: 100_000, description: "Instructions to the model." });
const Address = textOf(2000, "An address, `https://…`.");
const UserSchema = (of: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description: `JSON Schema (2020-12) of the ${of}.` });
const Fields = (of: string) => Type.Record(Type.String(), Type.Unknown(), { description: of });

/** Members left out count as harmless. */
export const Impact = Type.Object(
  {
    money: Type.Optional(Type.Number({ minimum: 0, description: "Money at stake, in US dollars." })),
    data: Type.Optional(Type.Enum(dataClasses, { description: "The most protected class of data that it touches." })),
    reversible: Type.Optional(Type.Boolean({ description: "Whether it can be undone." })),
    external: Type.Optional(Type.Boolean({ description: "Whether it reaches outside the company." })),
    persons: Type.Optional(integerIn(0, 1e10, "How many people it affects.")),
  },
  closed,
);
export type ImpactDefinition = Static<typeof Impact>;

export const Limits = Type.Object(
  {
    steps: Type.Optional(integerIn(1, 1000, "Model and tool calls.")),
    seconds: Type.Optional(integerIn(1, 86_400, "Seconds of running; waiting for people does not count.")),
    tokens: Type.Optional(integerIn(1, 1e9, "Tokens in and out of the model.")),
    cost_usd: Type.Optional(Type.Number({ minimum: 0, description: "US dollars." })),
  },
  closed,
);
export type LimitsDefinition = Static<typeof Limits>;

const sampling = {
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: "0 is the most predictable." })),
  top_p: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, description: "Nucleus sampling: the share of probability kept." }),
  ),
  max_output_tokens: Type.Optional(integerIn(1, 1_000_000, "The longest answer of one model call.")),
  seed: Type.Optional(integerIn(0, Number.MAX_SAFE_INTEGER, "For providers that can repeat an answer.")),
  confidence_samples: Type.Optional(
    integerIn(
      1,
      10,
      "How often the final answer is requested again. The share that agrees is the probability that the trust score starts from. Each repetition is a step with a cost; off by default.",
    ),
  ),
};
const BaseUrl = textOf(2000, "Address of the provider's interface, such as `http://127.0.0.1:11434/v1`.");
const perMillion = Type.Number({ minimum: 0, maximum: 1_000_000 });
const Price = Type.Object(
  { input: perMillion, output: perMillion },
  {
    ...closed,
    description:
      "What a million tokens cost, in US dollars, in place of the list's prices; 0 for a server of one's own. Limits of money need a price.",
  },
);
const settings = { description: "How the model is called." };
const modelName = textOf(200, "The model's name at the provider.");
const hosted = <P extends string>(provider: P) =>
  Type.Object(
    {
      provider: Type.Literal(provider),
      name: modelName,
      connection: Type.Optional(ConnectionName),
      settings: Type.Optional(
        Type.Object(
          { ...sampling, base_url: Type.Optional(BaseUrl), price: Type.Optional(Price) },
          { ...closed, ...settings },
        ),
      ),
    },
    closed,
  );

/** The built-in model: needs no key and no network. */
export const BuiltinModel = Type.Object({ provider: Type.Literal("builtin") }, closed);
export const AnthropicModel = hosted("anthropic");
export const OpenAiModel = hosted("openai");
/** Any server that speaks OpenAI's interface, such as Ollama or vLLM. */
export const OpenAiCompatibleModel = Type.Object(
  {
    provider: Type.Literal("openai-compatible"),
    name: modelName,
    connection: Type.Optional(ConnectionName),
    settings: Type.Object({ ...sampling, base_url: BaseUrl, price: Type.Optional(Price) }, { ...closed, ...settings }),
  },
  closed,
);
export const Model = Type.Union([BuiltinModel, AnthropicModel, OpenAiModel, OpenAiCompatibleModel], {
  description: "The model that runs the skills.",
});
export type ModelDefinition = Static<typeof Model>;

const reads = Type.Literal("read", { description: "It changes nothing." });
const Effect = Type.Enum(["read", "write"] as const, {
  description:
    "A write is governed as an action of its own. A POST that says `read` counts as a write all the same until an admin marks its request as a read (`PATCH /v1/admin/settings`, `tools.reads`); PUT, PATCH and DELETE always write.",
});
const common = {
  name: Name,
  description: Type.Optional(Description),
  title: Type.Optional(Title("a call")),
  cost_usd: Type.Optional(
    Type.Number({
      minimum: 0,
      description: "What one call costs, in US dollars: reserved in budgets before the call, charged after it.",
    }),
  ),
};
const bounds = {
  arguments: Type.Optional(UserSchema("arguments that a call may have")),
  impact: Type.Optional(Impact),
};
const remote = { connection: Type.Optional(ConnectionName), effect: Effect, ...bounds };

/** Looks a record up in a knowledge base by its external id. */
export const RecordTool = Type.Object(
  { ...common, kind: Type.Literal("record"), base: BaseName, effect: reads, ...bounds },
  closed,
);
/** Searches chunks of knowledge bases; of all of the agent's where it names none. */
export const SearchTool = Type.Object(
  {
    ...common,
    kind: Type.Literal("search"),
    bases: Type.Optional(
      Type.Array(BaseName, { minItems: 1, maxItems: DEFINITION_LIMITS.knowledge, uniqueItems: true }),
    ),
    effect: reads,
    ...bounds,
  },
  closed,
);

/** One request. `{name}` in address, query, headers and body stands for the argument of that name; `{{` and `}}` for braces. */
export const HttpRequest = Type.Object(
  {
    method: Type.Enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const, { description: "The HTTP method." }),
    url: textOf(2000, "The address; arguments may be in path and query, not in the host."),
    query: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "Query parameters." })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "Headers. Credentials come from the connection." }),
    ),
    body: Type.Optional(
      Type.Unknown({
        description: "The JSON body. A text that is just one placeholder becomes the argument with its type.",
      }),
    ),
  },
  closed,
);
export const OpenApiReference = Type.Object(
  {
    url: Address,
    operation: textOf(200, "Its `operationId`."),
  },
  closed,
);
/** Calls an HTTP interface: `request` or `openapi`, one of the two by the time a version is frozen. */
export const HttpTool = Type.Object(
  {
    ...common,
    kind: Type.Literal("http"),
    request: Type.Optional(HttpRequest),
    openapi: Type.Optional(OpenApiReference),
    idempotency: Type.Optional(
      Type.Object(
        {
          header: textOf(100, "The header that carries the step's key."),
        },
        {
          ...closed,
          description:
            "How the receiver knows a repeated call. Without it, a call whose outcome is unknown is not repeated.",
        },
      ),
    ),
    ...remote,
  },
  closed,
);
export const McpTool = Type.Object(
  {
    ...common,
    kind: Type.Literal("mcp"),
    server: Address,
    tool: Type.Optional(textOf(200, "Its name on the server; default: this tool's name.")),
    idempotency: Type.Optional(
      Type.Object(
        {
          argument: textOf(100, "The argument that carries the step's key."),
        },
        {
          ...closed,
          description:
            "How the server knows a repeated call. Without it, a call whose outcome is unknown is not repeated.",
        },
      ),
    ),
    ...remote,
  },
  closed,
);
export const Tool = Type.Union([RecordTool, SearchTool, HttpTool, McpTool], {
  description: "What the agent may call.",
});
export type ToolDefinition = Static<typeof Tool>;
export type RecordToolDefinition = Static<typeof RecordTool>;
export type HttpToolDefinition = Static<typeof HttpTool>;
export type McpToolDefinition = Static<typeof McpTool>;
export type HttpRequestDefinition = Static<typeof HttpRequest>;

export const SkillExample = Type.Object(
  {
    name: Type.Optional(Name),
    input: Fields("An input of the skill."),
    output: Fields("The right output for it."),
  },
  closed,
);

export const Skill = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    title: Type.Optional(Title("a task")),
    input: UserSchema("input"),
    output: Type.Optional(UserSchema("output")),
    instructions: Type.Optional(Instructions),
    tools: Type.Optional(
      Type.Array(Name, {
        maxItems: DEFINITION_LIMITS.tools,
        uniqueItems: true,
        description: "The tools that it may call, by name.",
      }),
    ),
    subject: Type.Optional(textOf(200, "The input field that names whose data a task carries.")),
    impact: Type.Optional(Impact),
    limits: Type.Optional(Limits),
    examples: Type.Optional(Type.Array(SkillExample, { maxItems: DEFINITION_LIMITS.examples })),
  },
  closed,
);
export type SkillDefinition = Static<typeof Skill>;

/** Which functions of callers the agent may call, and how they are governed: callers do not say that themselves. */
export const CallerToolRule = Type.Object(
  {
    tool: Type.String({
      pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,62}\\*?$",
      description: "A name, or the beginning of names with `*` behind it. The first rule that fits a name counts.",
    }),
    effect: Type.Enum(["read", "write"] as const, {
      description: "What the caller does with a call. A write is governed as an action of its own.",
    }),
    impact: Type.Optional(Impact),
  },
  closed,
);
export const Callers = Type.Object(
  {
    formats: Type.Optional(
      Type.Boolean({ description: "Whether they may ask for replies in JSON, by a schema of theirs." }),
    ),
    images: Type.Optional(Type.Boolean({ description: "Whether they may bring images for the model to see." })),
    tools: Type.Optional(
      Type.Array(CallerToolRule, {
        maxItems: DEFINITION_LIMITS.tools,
        description: "Functions of theirs that the model may call. They run where the caller is.",
      }),
    ),
    wait_seconds: Type.Optional(
      integerIn(1, 604_800, "How long a call waits for the result from its caller. Then the reply fails."),
    ),
  },
  { ...closed, description: "What callers of a conversation may bring. Nothing by default." },
);
export type CallersDefinition = Static<typeof Callers>;

const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: DEFINITION_LIMITS.labels,
  uniqueItems: true,
  description:
    "Labels to filter lists and scope policies. A change applies to the policies of an environment from the next deployment there.",
});
const Knowledge = Type.Array(BaseName, {
  maxItems: DEFINITION_LIMITS.knowledge,
  uniqueItems: true,
  description: "The knowledge bases it uses, by name.",
});
const tools = Type.Array(Tool, { maxItems: DEFINITION_LIMITS.tools });
const skills = Type.Array(Skill, { maxItems: DEFINITION_LIMITS.skills });
const head = { description: Description };
const middle = {
  instructions: Type.Optional(Instructions),
  knowledge: Type.Optional(Knowledge),
  callers: Type.Optional(Callers),
  handoff: Type.Optional(HandoffDefinition),
};
const identity = { agent: AgentName, ...head, labels: Type.Optional(Labels) };

export const AgentDefinition = Type.Object({ ...head, model: Model, ...middle, tools, skills }, closed);
export type AgentDefinition = Static<typeof AgentDefinition>;

/**
 * An agent as a file, or as the JSON of the same shape. Its owner is not in it: that is who creates the agent in an installation.
 * A draft may still lack skills and requests; `freezeFaults` says what a version needs.
 */
export const AgentBundle = Type.Object(
  { ...identity, model: Model, ...middle, tools: Type.Optional(tools), skills: Type.Optional(skills) },
  { ...closed, description: "An agent as a file." },
);
/** A parsed bundle: lists that the file left out are empty. */
export type AgentBundle = Static<typeof AgentBundle> & Pick<AgentDefinition, "tools" | "skills">;

export const modelForms = {
  builtin: BuiltinModel,
  anthropic: AnthropicModel,
  openai: OpenAiModel,
  "openai-compatible": OpenAiCompatibleModel,
} as const;
export const toolForms = { record: RecordTool, search: SearchTool, http: HttpTool, mcp: McpTool } as const;

/** Splits a bundle into what is stored with the agent and what is its draft. */
export function splitBundle({ agent, labels, ...definition }: AgentBundle): {
  agent: string;
  labels: string[];
  definition: AgentDefinition;
} {
  return { agent, labels: labels ?? [], definition };
}

/** The bundle of a stored agent; without labels it has no such member. */
export function joinBundle(agent: string, labels: readonly string[], definition: AgentDefinition): AgentBundle {
  return { agent, ...definition, ...(labels.length > 0 ? { labels: [...labels] } : {}) };
}

export const AgentPause = Type.Object(
  {
    mode: Type.Enum(["drain", "cancel"] as const, {
      description: "What happens to open tasks: they finish, or they are cancelled.",
    }),
    reason: Type.String({ description: "Why." }),
    since: Type.String({ format: "date-time", description: "Since when." }),
    by: Type.String({ description: "Who paused it, by id." }),
  },
  { description: "The agent takes no work in the environment of the key." },
);

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
  paused: nullable(AgentPause, "In the environment of the key; null while it takes work."),
  definition: AgentDefinition,
  revision: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Agent = Static<typeof Agent>;

/** A tool of a version that this release can call. */
export type OwnTool = Exclude<ToolDefinition, McpToolDefinition>;

/** A function of the caller's, governed as the version says. No file defines one, so none takes the place of an agent's own tool. */
export interface CallerTool {
  readonly kind: "caller";
  readonly name: string;
  readonly description?: string;
  readonly title?: undefined;
  readonly cost_usd?: undefined;
  readonly effect: "read" | "write";
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly impact?: ImpactDefinition;
}

/** What a run may call. */
export type RunnableTool = OwnTool | CallerTool;

/** Whether this release can call a tool: all but those of MCP servers. A version with others is frozen and compared, and does not run. */
export function isRunnable(tool: ToolDefinition): tool is OwnTool {
  return tool.kind !== "mcp";
}
