// Schemas of values that expressions read and that no file declares.

export type Schema = Readonly<Record<string, unknown>>;

/** What expressions know of their run. */
export const runSchema: Schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    workflow: { type: "string" },
    version: { type: "integer" },
    trigger: { type: "string" },
    started_at: { type: "string" },
  },
};

/** What a loop answers. */
export const loopSchema: Schema = {
  type: "object",
  required: ["total", "completed", "failed"],
  properties: {
    total: { type: "integer" },
    completed: { type: "integer" },
    failed: { type: "integer" },
    outputs: { type: "array" },
  },
};

/** By what an item answers: what is known of a schema is kept with the schema. */
const loopSchemas = new WeakMap<Schema, Schema>();

/** {@link loopSchema} with what each of its items answers. An item that failed has none. */
export function loopSchemaOf(item: Schema): Schema {
  const known = loopSchemas.get(item);
  if (known) return known;
  const properties = { ...(loopSchema.properties as Schema), outputs: { type: "array", items: item } };
  const made = { ...loopSchema, properties };
  loopSchemas.set(item, made);
  return made;
}
