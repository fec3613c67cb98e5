import { type Static, Type } from "typebox";
import { nullable, Time } from "../../kernel/schema-words.ts";
import { AgentDefinition, AgentName } from "./definition.ts";

export {
  CanaryRule,
  CanaryRuleInput,
  ChangeDeploymentBody,
  DeploymentMode,
  DeploymentOutcome,
  MovedTasks,
} from "./canary-schemas.ts";
export * from "./card.ts";
export {
  AgentBundle,
  AgentDefinition,
  AgentName,
  AnthropicModel,
  BuiltinModel,
  HttpRequest,
  HttpTool,
  type HttpToolDefinition,
  Impact,
  type ImpactDefinition,
  Limits,
  type LimitsDefinition,
  McpTool,
  type McpToolDefinition,
  Model,
  type ModelDefinition,
  OpenAiCompatibleModel,
  OpenAiModel,
  OpenApiReference,
  RecordTool,
  type RecordToolDefinition,
  SearchTool,
  Skill,
  type SkillDefinition,
  SkillExample,
  Tool,
  type ToolDefinition,
} from "./definition.ts";
export { Dependent, Dependents } from "./dependents.ts";
export * from "./deployments-schemas.ts";
export * from "./drafts-schemas.ts";
export { AgentHealth, HealthCheck } from "./health-schemas.ts";
export * from "./preview-schemas.ts";
export type { RunnableTool } from "./runnable.ts";
export * from "./shadow-schemas.ts";
export * from "./skill-schema.ts";
export * from "./tools-schemas.ts";
export * from "./training-schemas.ts";
export * from "./transfer-schemas.ts";
export * from "./trust-schemas.ts";
export { DraftFinding, DraftValidation, DraftVerdict, SkillCost } from "./validate-draft-schemas.ts";

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
  paused: nullable(AgentPause, "In the environment of the key; null: it takes work."),
  definition: AgentDefinition,
  revision: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Agent = Static<typeof Agent>;
