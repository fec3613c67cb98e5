import { compileUserSchema } from "@aos/json-schema";
import { askSkill, directOf } from "../../../kernel/direct-skills.ts";
import type { LiveSkill, LiveVersion } from "../facts.ts";
import type { AgentDefinition, SkillDefinition } from "../schemas.ts";

const asking: SkillDefinition = {
  name: askSkill,
  title: "{{title}}",
  input: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
  impact: { reversible: true },
};

/** One that the version defines, or a virtual one. */
export function skillNamed(definition: AgentDefinition, name: string): SkillDefinition | undefined {
  const direct = directOf(name);
  if (direct === undefined) return definition.skills.find((skill) => skill.name === name);
  if (direct === "nothing") return asking;
  const tool = definition.tools.find((one) => one.name === direct.tool);
  if (!tool) return undefined;
  const {
    title,
    impact,
    arguments: given,
  } = tool as { title?: string; impact?: SkillDefinition["impact"]; arguments?: Record<string, unknown> };
  return {
    name,
    ...(title !== undefined && { title }),
    input: given ?? { type: "object" },
    tools: [direct.tool],
    ...(impact && { impact }),
  };
}

const made = new WeakMap<LiveVersion, Map<string, LiveSkill | undefined>>();

/** Like `skillNamed`, for a deployed version. */
export function findLiveSkill(version: LiveVersion, name: string): LiveSkill | undefined {
  if (directOf(name) === undefined) return version.skills.get(name);
  const kept = made.get(version) ?? new Map<string, LiveSkill | undefined>();
  made.set(version, kept);
  if (!kept.has(name)) kept.set(name, liveSkillOf(version.definition, name));
  return kept.get(name);
}

function liveSkillOf(version: AgentDefinition, name: string): LiveSkill | undefined {
  const definition = skillNamed(version, name);
  const compiled = definition && compileUserSchema(definition.input);
  if (!definition || !compiled?.ok) return undefined;
  const tools = version.tools.filter((tool) => definition.tools?.includes(tool.name));
  return { definition, validate: compiled.validate, tools };
}

/** The skill that every agent converses by; a definition may configure it under this name. */
export const chatSkill = "chat";

const turnInput = {
  type: "object",
  required: ["message", "conversation", "after"],
  properties: {
    message: { type: "string", description: "What the user wrote." },
    conversation: { type: "string", description: "The conversation that it belongs to." },
    after: { type: "integer", description: "Number of the last message that the agent sees before it." },
    files: { type: "array", items: { type: "string" }, description: "Files that came with it." },
    options: { type: "object", description: "How the caller wants the reply." },
  },
};

/** A skill merely named `chat` by an earlier definition is none. */
export const isChat = ({ input }: Pick<SkillDefinition, "input">): boolean => input === turnInput;

/**
 * How a version answers in conversations: with all its tools, or as its definition says of a skill called `chat`. What a turn is given and what it answers is the
 * same of every agent. The subject of its tasks is the conversation.
 */
export function chatSkillOf(definition: AgentDefinition): SkillDefinition {
  const own = definition.skills.find(({ name }) => name === chatSkill);
  const {
    input: _input,
    output: _output,
    title: _title,
    ...said
  } = own ?? {
    name: chatSkill,
    tools: definition.tools.map(({ name }) => name),
  };
  return { ...said, input: turnInput, subject: "conversation" };
}

const chats = new WeakMap<AgentDefinition, LiveSkill>();
let validTurn: LiveSkill["validate"] | undefined;

function turnValidator(): LiveSkill["validate"] {
  const compiled = compileUserSchema(turnInput);
  if (!compiled.ok) throw new TypeError("the input of a turn is a schema");
  return compiled.validate;
}

/** {@link chatSkillOf} of a version, compiled. */
export function findChat(definition: AgentDefinition): LiveSkill {
  let known = chats.get(definition);
  if (!known) {
    validTurn ??= turnValidator();
    const skill = chatSkillOf(definition);
    const tools = definition.tools.filter((tool) => skill.tools?.includes(tool.name));
    known = { definition: skill, validate: validTurn, tools };
    chats.set(definition, known);
  }
  return known;
}
