import { type BodyFault, compileUserSchema, type UserSchemaResult } from "@aos/json-schema";
import { readTitle, titleFormats } from "../../../../kernel/title.ts";
import type { SkillDefinition } from "../schemas.ts";
import { fault, isObject, type Loose, propertiesOf, unknownName } from "./faults.ts";

type Schema = Record<string, unknown>;
/** Compiles the schemas of one bundle, each distinct schema once. */
type SchemaCheck = (schema: Schema) => UserSchemaResult;

export function createSchemaCheck(): SchemaCheck {
  const known = new Map<string, UserSchemaResult>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const result = known.get(text) ?? compileUserSchema(schema);
    known.set(text, result);
    return result;
  };
}

/** Faults of a JSON Schema of input, output or arguments, which always describe an object. */
export function schemaFaults(schema: Schema, pointer: string, what: string, check: SchemaCheck): BodyFault[] {
  const result = check(schema);
  if (!result.ok) return result.faults.map((one) => ({ ...one, pointer: pointer + one.pointer }));
  const at = `${pointer}/type`;
  if (schema.type === undefined)
    return [fault(at, "required", `is required; add \`type: object\`: ${what} is an object`)];
  return schema.type === "object" ? [] : [fault(at, "not_allowed", `must be \`object\`: ${what} is one`)];
}

/** Rules that no schema can express. `tools`: the names of the agent's tools. */
export function skillFaults(
  skill: Loose<SkillDefinition>,
  pointer: string,
  tools: readonly string[],
  check: SchemaCheck,
): BodyFault[] {
  const { input, output, subject } = skill;
  const fields = input && propertiesOf(input);
  const faults = input ? schemaFaults(input, `${pointer}/input`, "a skill's input", check) : [];
  if (output) faults.push(...schemaFaults(output, `${pointer}/output`, "a skill's output", check));
  for (const [index, name] of (skill.tools ?? []).entries()) {
    if (tools.includes(name)) continue;
    const detail = unknownName("names none of the agent's `tools`", name, tools);
    faults.push(fault(`${pointer}/tools/${index}`, "unknown_tool", detail));
  }
  if (subject !== undefined && fields && !fields.includes(subject)) {
    const detail = unknownName("names no field of `input`", subject, fields);
    faults.push(fault(`${pointer}/subject`, "unknown_field", detail));
  }
  faults.push(...titleFaults(skill.title, `${pointer}/title`, fields, "input"));
  return [...faults, ...exampleFaults(skill, pointer, check)];
}

function exampleFaults({ examples = [], input, output }: Loose<SkillDefinition>, pointer: string, check: SchemaCheck) {
  const [inputs, outputs] = [input && check(input), output && check(output)];
  return (examples ?? []).flatMap((example, index) => {
    const wrong = (member: "input" | "output", schema: UserSchemaResult | undefined): BodyFault[] => {
      const found = schema?.ok ? schema.validate(example[member]) : [];
      return found.map((one) => ({ ...one, pointer: `${pointer}/examples/${index}/${member}${one.pointer}` }));
    };
    return [...wrong("input", inputs), ...wrong("output", outputs)];
  });
}

export function sameNames(list: unknown, pointer: string, what: string): BodyFault[] {
  const names = (Array.isArray(list) ? list : []).map((one: unknown) => (isObject(one) ? one.name : undefined));
  const detail = `is the name of another ${what} as well; give each its own`;
  return names.flatMap((name, index) =>
    typeof name === "string" && names.indexOf(name) < index
      ? [fault(`${pointer}/${index}/name`, "duplicate_name", detail)]
      : [],
  );
}

/** Faults of a title template. `known`: the fields it may use; undefined while they are unknown. `where`: the member that declares them. */
export function titleFaults(
  title: unknown,
  pointer: string,
  known: readonly string[] | undefined,
  where: string,
): BodyFault[] {
  if (typeof title !== "string") return [];
  const { places, broken } = readTitle(title);
  const brace = "holds a brace that belongs to no field; write a field as `{{name}}`, `{{a/b}}` or `{{name | money}}`";
  const faults = broken ? [fault(pointer, "template", brace)] : [];
  for (const { path, field, format } of places) {
    const name = path[0] as string;
    if (known !== undefined && !known.includes(name)) {
      const problem = `takes \`{{${field}}}\`, which is no field of \`${where}\``;
      faults.push(fault(pointer, "unknown_field", unknownName(problem, name, known)));
    }
    if (format !== null && !titleFormats.includes(format)) {
      const problem = `writes a field as \`${format}\`, which is no format`;
      faults.push(fault(pointer, "unknown_format", unknownName(problem, format, titleFormats)));
    }
  }
  return faults;
}
