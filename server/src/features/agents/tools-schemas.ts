import { type Static, Type } from "typebox";
import { closed } from "../../kernel/schema-words.ts";
import { DEFINITION_LIMITS, Skill, Tool } from "./definition.ts";

/** In a path: another text names no tool, which is 404. */
export const ToolName = Type.String({ description: "The tool's name." });

export const BindToolBody = Type.Object(
  {
    definition: Tool,
    skills: Type.Optional(
      Type.Array(Skill.properties.name, {
        maxItems: DEFINITION_LIMITS.skills,
        uniqueItems: true,
        description: "The skills that may call it, and no others. Left out: those that could before.",
      }),
    ),
  },
  { ...closed, description: "A tool as in the agent's file, and who may call it." },
);
export type BindToolBody = Static<typeof BindToolBody>;

export const UnbindToolBody = Type.Object(
  {
    from_skills: Type.Optional(
      Type.Boolean({ description: "Takes it from the skills that name it as well. Default: refused where one does." }),
    ),
  },
  closed,
);
export type UnbindToolBody = Static<typeof UnbindToolBody>;
