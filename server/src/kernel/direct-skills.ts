// Skills that no definition names: what a step of a workflow does with an agent besides its skills. Nobody can dispatch them: no skill's name has a colon.

/** People are asked, and nothing runs. */
export const askSkill = "ask:people";
const toolPrefix = "tool:";

/** The skill by which one tool is called once, with the task's input as its arguments. */
export const skillOfTool = (tool: string): string => `${toolPrefix}${tool}`;

/** What a task of the skill does by itself, without a model; undefined: its agent's model runs it. */
export function directOf(skill: string): { readonly tool: string } | "nothing" | undefined {
  if (skill === askSkill) return "nothing";
  return skill.startsWith(toolPrefix) ? { tool: skill.slice(toolPrefix.length) } : undefined;
}
