import { type BodyFault, compileUserSchema, type UserSchemaResult } from "@aos/json-schema";
import type { SkillDefinition } from "../definition.ts";
import { isObject, type Loose } from "./check-shape.ts";
import { titleFaults } from "./check-title.ts";
import { propertiesOf, unknownName } from "./check-tools.ts";

/** Compiles the schemas of one bundle: what several skills share is compiled once. */
export type SchemaCheck = (schema: Record<string, unknown>) => UserSchemaResult;

export function createSchemaCheck(): SchemaCheck {
  const known = new Map<string, UserSchemaResult>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const result = known.get(text) ?? compileUserSchema(schema);
    known.set(text, result);
    return result;
  };
}

/** What is wrong with a JSON Schema of input, output or arguments: these are objects always. */
export function schemaFaults(
  schema: Record<string, unknown>,
  pointer: string,
  what: string,
  check: SchemaCheck,
): BodyFault[] {
  const result = check(schema);
  if (!result.ok) return result.faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
  if (schema.type === undefined)
    return [
      {
        pointer: `${pointer}/type`,
        code: "required",
        detail: `is required; add \`type: object\`: ${what} is an object`,
      },
    ];
  if (schema.type !== "object")
    return [{ pointer: `${pointer}/type`, code: "not_allowed", detail: `must be \`object\`: ${what} is one` }];
  return [];
}

/** What a skill breaks of the rules that no schema says. `tools`: the names that the agent's tools have. */
export function skillFaults(
  skill: Loose<SkillDefinition>,
  pointer: string,
  tools: readonly string[],
  check: SchemaCheck,
): BodyFault[] {
  const { input, output, subject } = skill;
  const faults = input ? schemaFaults(input, `${pointer}/input`, "a skill's input", check) : [];
  if (output) faults.push(...schemaFaults(output, `${pointer}/output`, "a skill's output", check));
  for (const [index, name] of (skill.tools ?? []).entries()) {
    if (!tools.includes(name))
      faults.push({
        pointer: `${pointer}/tools/${index}`,
        code: "unknown_tool",
        detail: unknownName("names none of the agent's `tools`", name, tools),
      });
  }
  if (subject !== undefined && input && !propertiesOf(input).includes(subject)) {
    faults.push({
      pointer: `${pointer}/subject`,
      code: "unknown_field",
      detail: unknownName("names no field of `input`", subject, propertiesOf(input)),
    });
  }
  faults.push(...titleFaults(skill.title, `${pointer}/title`, input && propertiesOf(input), "input"));
  return [...faults, ...exampleFaults(skill, pointer, check)];
}

function exampleFaults(
  { examples, input, output }: Loose<SkillDefinition>,
  pointer: string,
  check: SchemaCheck,
): BodyFault[] {
  const inputs = input ? check(input) : null;
  const outputs = output ? check(output) : null;
  return (examples ?? []).flatMap((example, index) => {
    const at = `${pointer}/examples/${index}`;
    const wrong = (member: string, result: UserSchemaResult | null, value: unknown): BodyFault[] =>
      result?.ok
        ? result.validate(value).map((fault) => ({ ...fault, pointer: `${at}/${member}${fault.pointer}` }))
        : [];
    return [...wrong("input", inputs, example.input), ...wrong("output", outputs, example.output)];
  });
}

/** The second and further ones of things with the same name. */
export function sameNames(list: unknown, pointer: string, what: string): BodyFault[] {
  const seen = new Set<string>();
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown, index): BodyFault[] => {
    const name = isObject(one) ? one.name : undefined;
    if (typeof name !== "string") return [];
    if (seen.has(name))
      return [
        {
          pointer: `${pointer}/${index}/name`,
          code: "duplicate_name",
          detail: `is the name of another ${what} as well; give each its own`,
        },
      ];
    seen.add(name);
    return [];
  });
}
