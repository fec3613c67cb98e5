import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type BodyFault, compileUserSchema, type JsonSchema, type Validator } from "@aos/json-schema";
import { canHandOver, handOverOffer } from "./hand-over.ts";
import type { RunTool, SkillRun } from "./port.ts";

// The tools of a run as a model sees them, and the arguments that they take.

/** The loop's own tool, by which the agent asks people for what it lacks. A tool of the version that has this name takes its place. */
export const askTool = "ask";

/** Chunks of a search at most, and as many as it answers where the call does not say. */
export const searchLimits = { most: 20, usual: 5 } as const;

const closed = { type: "object", additionalProperties: false } as const;

const askSchema = {
  ...closed,
  required: ["question"],
  properties: {
    question: { type: "string", minLength: 1, maxLength: 2000 },
    options: { type: "array", minItems: 2, maxItems: 20, items: { type: "string", minLength: 1, maxLength: 200 } },
  },
} as const;

const searchSchema = {
  ...closed,
  required: ["query"],
  properties: {
    query: { type: "string", minLength: 1, maxLength: 1000, description: "What to look for, in words." },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: searchLimits.most,
      description: `Chunks at most; ${searchLimits.usual} without it.`,
    },
  },
} as const;

/** The field of the skill's input that a record tool takes, which is the name of its argument. */
export function idFieldOf({ idFields }: RunTool, input: SkillRun["briefing"]["input"]): string {
  const known = typeof input.properties === "object" && input.properties !== null ? input.properties : {};
  return idFields.find((name) => name in known) ?? idFields[0] ?? "id";
}

/** JSON Schema of a tool's arguments. */
export function argumentsSchema(tool: RunTool, briefing: Pick<SkillRun["briefing"], "input">): JsonSchema {
  const { spec } = tool;
  if (spec.arguments !== undefined) return spec.arguments;
  if (spec.kind === "search") return searchSchema;
  if (spec.kind === "http") return { type: "object" };
  const field = idFieldOf(tool, briefing.input);
  return {
    ...closed,
    required: [field],
    properties: { [field]: { type: "string", minLength: 1, description: "The record's id." } },
  };
}

/** Whether the agent can ask people: a model that converses can, unless the version has a tool of that name. */
export function canAsk({ model, tools }: Pick<SkillRun, "model" | "tools">): boolean {
  return model.provider !== "builtin" && tools.every(({ name }) => name !== askTool);
}

/** The tools that a run may call. The built-in model, which writes nothing, those that read; what needs no model, its own. */
export function callableTools({
  tools,
  model,
  direct,
}: Pick<SkillRun, "tools" | "model" | "direct">): readonly RunTool[] {
  return tools.filter(({ effect }) => effect === "read" || model.provider !== "builtin" || direct !== undefined);
}

/** The tools that a model is offered. */
export function offeredTools({
  tools,
  briefing,
  model,
  chat,
  handoff,
}: Pick<SkillRun, "tools" | "briefing" | "model" | "chat" | "handoff">): LanguageModelV4FunctionTool[] {
  const own: LanguageModelV4FunctionTool[] = callableTools({ tools, model }).map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.spec.description ?? usualDescription(tool),
    inputSchema: argumentsSchema(tool, briefing) as JSONSchema7,
  }));
  const handing = { chat, handoff, tools };
  if (canHandOver(handing)) own.push(handOverOffer(handing));
  if (!canAsk({ model, tools })) return own;
  const description =
    "Asks people a question when the work cannot go on without their answer. Do not ask for what a tool can find.";
  return [...own, { type: "function", name: askTool, description, inputSchema: askSchema as unknown as JSONSchema7 }];
}

function usualDescription({ spec }: RunTool): string {
  if (spec.kind === "record") return `Looks a record of ${spec.base} up by its id.`;
  if (spec.kind === "search") return "Searches chunks of the knowledge.";
  return "Calls another service.";
}

/** By what a tool is and, of one that takes a record's id, the name that the skill gives it. */
const validators = new WeakMap<object, Map<string, Validator>>();

/** What the arguments of a call break of the tool's schema. */
export function argumentFaults(
  tool: RunTool | null,
  given: unknown,
  briefing: Pick<SkillRun["briefing"], "input">,
): readonly BodyFault[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return [{ pointer: "", code: "type", detail: "must be a JSON object" }];
  }
  const key = tool?.spec ?? askSchema;
  const ofTool = validators.get(key) ?? new Map<string, Validator>();
  const name = tool?.spec.kind === "record" ? idFieldOf(tool, briefing.input) : "";
  let validate = ofTool.get(name);
  if (!validate) {
    const compiled = compileUserSchema(tool ? argumentsSchema(tool, briefing) : askSchema);
    validate = compiled.ok ? compiled.validate : () => compiled.faults;
    validators.set(key, ofTool.set(name, validate));
  }
  return validate(given);
}

/** Faults as a model sees them. */
export function faultTexts(faults: readonly BodyFault[]): string[] {
  return faults.map(({ pointer, detail }) => `${pointer === "" ? "The whole" : pointer} ${detail}`);
}
