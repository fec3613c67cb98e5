import { WorkflowDefinition } from "@aos/workflow";
import { stringify } from "yaml";
import { compare, type Difference } from "../../agents/public.ts";
import { digestOf } from "./rules.ts";
import type { WorkflowDiff } from "./schemas.ts";

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

/** A value with its members in the schema's order, then the others. The database does not keep the order in which members were given. */
function ordered(value: unknown, shape: Shape | undefined): unknown {
  const { properties = {}, patternProperties = {}, items } = (shape?.$ref === undefined ? shape : step) ?? {};
  if (Array.isArray(value)) return value.map((item) => ordered(item, items));
  if (!isObject(value)) return value;
  const [free] = Object.values(patternProperties);
  const names = [...Object.keys(properties).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, ordered(value[name], properties[name] ?? free)]));
}

export const inFileOrder = (definition: WorkflowDefinition): WorkflowDefinition =>
  ordered(definition, WorkflowDefinition as unknown as Shape) as WorkflowDefinition;

/** The text that was sent, or the definition as YAML. */
export function fileOf(definition: WorkflowDefinition, source: string | undefined): string {
  if (source !== undefined) return source;
  return stringify(inFileOrder(definition), {
    version: "1.2",
    schema: "core",
    compat: "yaml-1.1",
    lineWidth: 0,
    blockQuote: "literal",
    aliasDuplicateObjects: false,
  });
}

/** How two definitions differ, field by field; steps are matched by id. */
export function diffDefinitions(before: WorkflowDefinition, after: WorkflowDefinition): Omit<WorkflowDiff, "against"> {
  const changes = compare(inFileOrder(before), inFileOrder(after), ["id", "name"]);
  return {
    summary: summaryOf(changes),
    identical: changes.length === 0,
    before_digest: digestOf(before),
    after_digest: digestOf(after),
    changes,
  };
}

/** `1 step added, limits changed`. */
function summaryOf(changes: readonly Difference[]): string {
  const tops = [...new Set(changes.map(({ path }) => path[0] ?? ""))];
  const parts = tops.flatMap((top) => {
    const within = changes.filter(({ path }) => path[0] === top);
    if (top === "steps" || top === "triggers") return countsOf(within, top.slice(0, -1));
    return [`${top} ${within.length === 1 && within[0]?.path.length === 1 ? within[0].kind : "changed"}`];
  });
  return parts.join(", ") || "no difference";
}

function countsOf(changes: readonly Difference[], noun: string): string[] {
  return (["added", "removed", "changed", "moved"] as const).flatMap((kind) => {
    const concerned = changes.filter((change) => (change.path.length > 2 ? "changed" : change.kind) === kind);
    const many = new Set(concerned.map(({ path }) => path[1])).size;
    return many === 0 ? [] : [`${many} ${noun}${many === 1 ? "" : "s"} ${kind}`];
  });
}
