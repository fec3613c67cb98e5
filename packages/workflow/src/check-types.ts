import type { Environment } from "@marcbachmann/cel-js";
import { newEnvironment } from "./expressions.ts";
import type { Plan } from "./plan.ts";

// The types that expressions are checked with: those of the input's schema and of what each step answers. JSON knows no whole numbers: all numbers are doubles.

export type Schema = Readonly<Record<string, unknown>>;

/** Fields with their types, as the library takes them. */
type Fields = { [name: string]: string | Fields };

/** How deep types follow a schema; below, everything is of any type. */
const DEEPEST = 6;
const anything = "map<string, dyn>";

/** The type of what a schema describes; `dyn` where it says nothing that a type could say. */
export function typeOf(schema: unknown, depth = 0): string | Fields {
  if (typeof schema !== "object" || schema === null) return "dyn";
  const { type, properties, items, additionalProperties } = schema as Schema;
  if (type === "string") return "string";
  if (type === "number" || type === "integer") return "double";
  if (type === "boolean") return "bool";
  if (type === "array") {
    const inner = depth < DEEPEST ? typeOf(items, depth + 1) : "dyn";
    return typeof inner === "string" ? `list<${inner}>` : `list<${anything}>`;
  }
  if (type !== "object") return "dyn";
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || depth >= DEEPEST || typeof properties !== "object" || properties === null) return anything;
  const fields = Object.entries(properties as Schema).map(([name, one]) => [name, typeOf(one, depth + 1)] as const);
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

/** The environment in which a workflow's expressions are checked. `names`: those of a loop's item. */
export function checkEnvironment(plan: Plan, outputOf: OutputOf): Environment {
  const environment = newEnvironment(true);
  declare(environment, "input", typeOf(plan.definition.input));
  declare(environment, "steps", stepTypes(environment, plan, outputOf));
  declare(environment, "run", {
    id: "string",
    workflow: "string",
    version: "double",
    trigger: "string",
    started_at: "string",
  });
  environment.registerVariable("event", "dyn");
  environment.registerVariable("now", "google.protobuf.Timestamp");
  return environment;
}

/** The types of steps, one for each that their outputs have: the library's time grows with the square of their number. */
function stepTypes(environment: Environment, plan: Plan, outputOf: OutputOf): Fields {
  const names = new Map<string, string>();
  const steps = plan.steps.map(({ id }) => {
    const output = typeOf(outputOf(id));
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
