import { nearestName } from "@aos/text";
import type { Fault } from "../../kernel/errors.ts";
import type { AgentDefinition, SkillDefinition } from "./definition.ts";
import type { ChangeDraftBody } from "./drafts-schemas.ts";
import type { BindToolBody } from "./tools-schemas.ts";

type Parts = Pick<AgentDefinition, "tools" | "skills">;

/** The names of the skills that may call a tool. */
export const skillsWith = ({ skills }: Pick<Parts, "skills">, tool: string): string[] =>
  skills.filter((skill) => skill.tools?.includes(tool)).map(({ name }) => name);

/** What binding a tool changes of a draft: a tool of its name keeps its place. */
export function boundTo({ tools, skills }: Parts, name: string, body: BindToolBody): ChangeDraftBody {
  const { definition, skills: wanted } = body;
  const known = tools.some((tool) => tool.name === name);
  return {
    tools: known ? tools.map((tool) => (tool.name === name ? definition : tool)) : [...tools, definition],
    ...(wanted && { skills: skills.map((skill) => withTool(skill, name, wanted.includes(skill.name))) }),
  };
}

/** What taking a tool away changes of a draft, from skills as well. */
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

/** What is wrong with a binding besides what a draft would break with it. */
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

/** A place in the draft as a place in the body of a binding. */
export function placeOfBinding(pointer: string, at: number): string {
  const tool = `/tools/${at}`;
  return pointer === tool || pointer.startsWith(`${tool}/`) ? `/definition${pointer.slice(tool.length)}` : pointer;
}

/** The same the other way around. */
export const placeInDraft = (pointer: string, at: number): string =>
  pointer.replace(/^\/definition(?=\/|$)/, `/tools/${at}`);
