import { type Static, Type } from "typebox";
import { nullable } from "../../../kernel/schema-words.ts";
import { AgentName, type SkillDefinition, SkillExample } from "./schemas.ts";

// What an agent can be asked, for callers who dispatch tasks.

export const SkillSchema = Type.Object(
  {
    task: Type.String({ description: "The value of `task` in a dispatch." }),
    description: nullable(Type.String(), "What the skill does."),
    input: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema (2020-12) of the input." }),
    output: nullable(
      Type.Record(Type.String(), Type.Unknown()),
      "JSON Schema of the output; null if the skill declares none.",
    ),
    subject: nullable(Type.String(), "The input field that names whose data the task carries."),
    examples: Type.Array(SkillExample, { description: "The first ten examples of the definition." }),
  },
  { description: "What one skill takes and returns." },
);

export const SkillSchemas = Type.Object(
  {
    agent: AgentName,
    version: Type.Integer({ description: "The version whose skills these are." }),
    version_id: Type.String(),
    live: Type.Boolean({ description: "Whether tasks dispatched in the environment of the key run this version." }),
    skills: Type.Array(SkillSchema),
  },
  { description: "The skills of a version, with the schemas of their inputs and outputs." },
);

const mostExamples = 10;

export function skillSchemaOf(skill: SkillDefinition): Static<typeof SkillSchema> {
  const { name, description = null, input, output = null, subject = null, examples = [] } = skill;
  return { task: name, description, input, output, subject, examples: examples.slice(0, mostExamples) };
}
