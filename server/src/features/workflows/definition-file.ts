import { WorkflowDefinition } from "@aos/workflow";
import { stringify } from "yaml";

// A definition as a file.

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

const step = (WorkflowDefinition.properties.steps as unknown as Shape).items?.$defs?.Step;

/** A value with its members in the order of the schema; others as they come. Storage does not keep the order in which members were given. */
function ordered(value: unknown, shape: Shape | undefined): unknown {
  const { properties = {}, patternProperties = {}, items } = (shape?.$ref === undefined ? shape : step) ?? {};
  if (Array.isArray(value)) return value.map((item) => ordered(item, items));
  if (!isObject(value)) return value;
  const [free] = Object.values(patternProperties);
  const names = [...Object.keys(properties).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, ordered(value[name], properties[name] ?? free)]));
}

/** A copy of a definition with its members in the order of the format. */
export const inFileOrder = (definition: WorkflowDefinition): WorkflowDefinition =>
  ordered(definition, WorkflowDefinition as unknown as Shape) as WorkflowDefinition;

/** The text that was sent, or the definition written as one. */
export function fileOf(definition: WorkflowDefinition, source: string | undefined): string {
  if (source !== undefined) return source;
  return stringify(inFileOrder(definition), {
    ...{ version: "1.2", schema: "core", compat: "yaml-1.1", lineWidth: 0, blockQuote: "literal" },
    aliasDuplicateObjects: false,
  });
}
