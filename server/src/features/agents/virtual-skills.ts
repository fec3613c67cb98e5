import { compileUserSchema } from "@aos/json-schema";
import { askSkill, directOf } from "../../kernel/direct-skills.ts";
import type { LiveSkill, LiveVersion } from "./facts.ts";
import type { AgentDefinition, SkillDefinition } from "./schemas.ts";

const asking: SkillDefinition = {
  name: askSkill,
  title: "{{title}}",
  input: { type: "object", required: ["title"], properties: { title: { type: "string" } } },
  impact: { reversible: true },
};

/** A skill of a version by its name: one that it defines, or one of these. */
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

/** A skill of a deployed version by its name, one of these included. */
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
