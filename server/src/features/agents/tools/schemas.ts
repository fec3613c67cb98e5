import { type Static, Type } from "typebox";
import { closed } from "../../../kernel/schema-words.ts";
import { DEFINITION_LIMITS, Skill, Tool } from "../definitions/schemas.ts";

/** Without a pattern: in a path, a text that names no tool is 404. */
export const ToolName = Type.String({ description: "The tool's name." });

export const BindToolBody = Type.Object(
  {
    definition: Tool,
    skills: Type.Optional(
      Type.Array(Skill.properties.name, {
        maxItems: DEFINITION_LIMITS.skills,
        uniqueItems: true,
        description: "The only skills that may call it. Default: those that could before.",
      }),
    ),
  },
  { ...closed, description: "A tool as in the agent's file, and who may call it." },
);
export type BindToolBody = Static<typeof BindToolBody>;

export const UnbindToolBody = Type.Object(
  {
    from_skills: Type.Optional(
      Type.Boolean({ description: "Also removes it from the skills that name it. Default: refused if one does." }),
    ),
  },
  closed,
);
