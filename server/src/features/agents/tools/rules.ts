import { nearestName } from "@aos/text";
import type { Fault } from "../../../kernel/errors.ts";
import type { ChangeDraftBody } from "../definitions/draft-schemas.ts";
import type { AgentDefinition, SkillDefinition } from "../definitions/schemas.ts";
import type { BindToolBody } from "./schemas.ts";

type Parts = Pick<AgentDefinition, "tools" | "skills">;

export const skillsWith = ({ skills }: Pick<Parts, "skills">, tool: string): string[] =>
  skills.filter((skill) => skill.tools?.includes(tool)).map(({ name }) => name);

/** A tool that replaces one of its name keeps its place. */
export function boundTo({ tools, skills }: Parts, name: string, body: BindToolBody): ChangeDraftBody {
  const { definition, skills: wanted } = body;
  const known = tools.some((tool) => tool.name === name);
  return {
    tools: known ? tools.map((tool) => (tool.name === name ? definition : tool)) : [...tools, definition],
    ...(wanted && { skills: skills.map((skill) => withTool(skill, name, wanted.includes(skill.name))) }),
  };
}

/** Removes the tool from skills as well. */
export const unboundFrom = ({ tools, skills }: Parts, name: string): ChangeDraftBody => ({
  tools: tools.filter((tool) => tool.name !== name),
  skills: skills.map((skill) => withTool(skill, name, false)),
});

function withTool(skill: SkillDefinition, name: string, may: boolean): SkillDefinition {
  const { tools = [], ...rest } = skill;
  if (tools.includes(name) === may) return skill;
  const left = may ? [...tools, name] : tools.filter((tool) => tool !== name);
  return left.length > 0 ? { ...rest, tools: left } : rest;
}

/** What is wrong with a binding besides faults of the draft that it makes. */
export function bindingFaults(
  { skills }: Parts,
  name: string,
  { definition, skills: wanted = [] }: BindToolBody,
): Fault[] {
  const names = skills.map((skill) => skill.name);
  const unknown = wanted.flatMap((skill, at): Fault[] => {
    if (names.includes(skill)) return [];
    const close = nearestName(skill, names);
    const detail = `names none of the agent's skills; ${close ? `did you mean \`${close}\`?` : `it has ${names.join(", ") || "none"}`}`;
    return [{ pointer: `/skills/${at}`, code: "unknown_skill", detail }];
  });
  if (definition.name === name) return unknown;
  const detail = `is not ${name}, as the address says; a tool is renamed by changing the whole draft`;
  return [{ pointer: "/definition/name", code: "another_tool", detail }, ...unknown];
}

/** Maps a pointer in the draft to one in the body of a binding. */
export function placeOfBinding(pointer: string, at: number): string {
  const tool = `/tools/${at}`;
  return pointer === tool || pointer.startsWith(`${tool}/`) ? `/definition${pointer.slice(tool.length)}` : pointer;
}

export const placeInDraft = (pointer: string, at: number): string =>
  pointer.replace(/^\/definition(?=\/|$)/, `/tools/${at}`);
