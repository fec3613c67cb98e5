export * from "./definitions/card.ts";
export { Dependent, Dependents } from "./definitions/dependents.ts";
export * from "./definitions/draft-schemas.ts";
export { HandoffDefinition } from "./definitions/handoff-schemas.ts";
export * from "./definitions/preview-schemas.ts";
export {
  Agent,
  AgentBundle,
  AgentDefinition,
  AgentName,
  AgentPause,
  AnthropicModel,
  BuiltinModel,
  Callers,
  type CallerTool,
  CallerToolRule,
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
  type OwnTool,
  RecordTool,
  type RecordToolDefinition,
  type RunnableTool,
  SearchTool,
  Skill,
  type SkillDefinition,
  SkillExample,
  Tool,
  type ToolDefinition,
} from "./definitions/schemas.ts";
export * from "./definitions/skill-schemas.ts";
export { DraftFinding, DraftValidation, DraftVerdict, SkillCost } from "./definitions/validation-schemas.ts";
export * from "./deployments/schemas.ts";
export * from "./tools/schemas.ts";
export * from "./training/schemas.ts";
export * from "./trust/schemas.ts";
export * from "./versions/schemas.ts";
