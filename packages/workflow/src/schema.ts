import { WorkflowDefinition } from "./definition.ts";

/** The published JSON Schema (2020-12) of a workflow's file, for editors: steps refer to each other by `$defs`, which every editor follows. */
export function publishedSchema(): Record<string, unknown> {
  const schema: Record<string, unknown> = { ...JSON.parse(JSON.stringify(WorkflowDefinition), dropIds) };
  const { items } = (schema.properties as { steps: { items: { $defs: Record<string, unknown> } } }).steps;
  const { $defs } = items;
  Object.assign((schema.properties as { steps: object }).steps, { items: { $ref: "#/$defs/Step" } });
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Workflow", ...schema, $defs };
}

/** The description of steps names itself by a relative id, which a whole file has no use for. */
function dropIds(this: unknown, name: string, value: unknown): unknown {
  if (name === "$id") return undefined;
  return name === "$ref" && value === "Step" ? "#/$defs/Step" : value;
}
