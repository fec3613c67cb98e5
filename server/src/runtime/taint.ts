// Text that comes from users, knowledge and tools could steer a model. What is known here is whether a run has read any.

type Schema = Readonly<Record<string, unknown>>;

/** Whether an input holds text that its schema does not name word by word: a text among `enum` or `const`, and the name of a property, say nothing new to a model. */
export function holdsText(value: unknown, schema: unknown): boolean {
  if (typeof value === "string") return value !== "" && !isNamed(value, schema);
  if (Array.isArray(value)) return value.some((item) => holdsText(item, member(schema, "items")));
  if (typeof value !== "object" || value === null) return false;
  const properties = member(schema, "properties");
  return Object.entries(value).some(
    ([name, item]) => member(properties, name) === undefined || holdsText(item, member(properties, name)),
  );
}

function member(schema: unknown, name: string): unknown {
  return typeof schema === "object" && schema !== null && Object.hasOwn(schema, name)
    ? (schema as Schema)[name]
    : undefined;
}

function isNamed(text: string, schema: unknown): boolean {
  const named = member(schema, "enum");
  return (Array.isArray(named) && named.includes(text)) || member(schema, "const") === text;
}
