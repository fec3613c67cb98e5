import { compileUserSchema } from "@aos/json-schema";
import type { Fault } from "../../kernel/errors.ts";
import type { DatasetItem } from "./datasets-schemas.ts";

/** What a skill takes and answers; `output` is null where it describes none. */
export interface SkillSchemas {
  readonly input: object;
  readonly output: object | null;
}

/** Faults of the items against the skill: inputs have to fit whole, `expected` in what it says. */
export function itemFaults(items: readonly DatasetItem[], { input, output }: SkillSchemas): Fault[] {
  const inputs = compileUserSchema(input);
  const outputs = output === null ? null : compileUserSchema(asPart(output));
  return items.flatMap((item, at) => [
    ...(inputs.ok ? placed(inputs.validate(item.input), `/items/${at}/input`) : []),
    ...(outputs?.ok && item.expected !== undefined
      ? placed(outputs.validate(item.expected), `/items/${at}/expected`)
      : []),
  ]);
}

const placed = (faults: readonly Fault[], at: string): Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: at + (fault.pointer ?? "") }));

/** Keywords that ask for something to be there, which `expected` may leave out. */
const whole = new Set(["required", "dependentRequired", "dependentSchemas", "minProperties"]);
/** Keywords whose members are names with schemas, not keywords. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "enum", "default", "example", "examples"]);

/**
 * The schema of a part of what fits `schema`: `expected` says no more than scorers look at. Without what is required, several
 * alternatives of a `oneOf` may fit, which is no fault then; what `not` and `if` say of a part is not known.
 */
export function asPart(schema: unknown): object {
  return part(schema) as object;
}

function part(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(part);
  if (typeof schema !== "object" || schema === null) return schema;
  const members: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (whole.has(keyword) || ["not", "if", "then", "else"].includes(keyword)) continue;
    if (data.has(keyword)) members.push([keyword, value]);
    else if (named.has(keyword))
      members.push([
        keyword,
        Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, part(one)])),
      ]);
    else if (keyword === "oneOf" && !("anyOf" in schema)) members.push(["anyOf", part(value)]);
    else if (keyword !== "oneOf") members.push([keyword, part(value)]);
  }
  return Object.fromEntries(members);
}
