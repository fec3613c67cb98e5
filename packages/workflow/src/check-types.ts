import type { Environment } from "@marcbachmann/cel-js";
import { newEnvironment } from "./expressions.ts";
import type { Plan } from "./plan.ts";
import { runSchema, type Schema } from "./value-schemas.ts";

// The types that expressions are checked with: those of the input's schema and of what each step answers. Numbers are doubles, those that a schema declares `integer` are ints.

/** Fields with their types, as the library takes them. */
type Fields = { [name: string]: string | Fields };

/** How deep types follow a schema; below, everything is of any type. */
const DEEPEST = 6;
const anything = "map<string, dyn>";

/** What integers are checked as. */
export type IntegerType = "int" | "double";

/** The type of what a schema describes; `dyn` where it says nothing that a type could say. */
export function typeOf(schema: unknown, integer: IntegerType = "int", depth = 0): string | Fields {
  if (typeof schema !== "object" || schema === null) return "dyn";
  const { type, properties, items, additionalProperties } = schema as Schema;
  if (type === "string") return "string";
  if (type === "number") return "double";
  if (type === "integer") return integer;
  if (type === "boolean") return "bool";
  if (type === "array") {
    const inner = depth < DEEPEST ? typeOf(items, integer, depth + 1) : "dyn";
    return typeof inner === "string" ? `list<${inner}>` : `list<${anything}>`;
  }
  if (type !== "object") return "dyn";
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || depth >= DEEPEST || typeof properties !== "object" || properties === null) return anything;
  const fields = Object.entries(properties as Schema).map(
    ([name, one]) => [name, typeOf(one, integer, depth + 1)] as const,
  );
  return fields.length === 0 ? anything : Object.fromEntries(fields);
}

/** Whether a schema promises a member. */
export function isRequired(schema: unknown, path: readonly string[]): boolean {
  let at = schema;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return false;
    const { required, properties } = at as { required?: unknown; properties?: Schema };
    if (!Array.isArray(required) || !required.includes(key)) return false;
    at = properties?.[key];
  }
  return true;
}

/** What a step answers, where that is known. */
export type OutputOf = (step: string) => Schema | undefined;

/** The environment in which a workflow's expressions are checked. */
export function checkEnvironment(plan: Plan, outputOf: OutputOf, integer: IntegerType): Environment {
  const environment = newEnvironment(true);
  declare(environment, "input", typeOf(plan.definition.input, integer));
  declare(
    environment,
    "steps",
    stepTypes(environment, plan, (step) => typeOf(outputOf(step), integer)),
  );
  declare(environment, "run", typeOf(runSchema, integer));
  environment.registerVariable("event", "dyn");
  environment.registerVariable("now", "google.protobuf.Timestamp");
  return environment;
}

/** The types of steps, one for each that their outputs have: the library's time grows with the square of their number. */
function stepTypes(environment: Environment, plan: Plan, outputType: (step: string) => string | Fields): Fields {
  const names = new Map<string, string>();
  const steps = plan.steps.map(({ id }) => {
    const output = outputType(id);
    const key = JSON.stringify(output);
    const name = names.get(key) ?? `$step.${id}`;
    if (!names.has(key))
      environment.registerType(name, {
        schema: { status: "string", output, trust_score: "double", trust_low: "double", cost_usd: "double" },
      });
    names.set(key, name);
    return [id, name] as const;
  });
  return Object.fromEntries(steps);
}

function declare(environment: Environment, name: string, type: string | Fields): void {
  if (typeof type === "string") environment.registerVariable(name, type);
  else environment.registerVariable({ name, schema: type });
}
