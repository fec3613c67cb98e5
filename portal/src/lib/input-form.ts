/** A field of a form that is made from a skill's input schema. */
export interface InputField {
  readonly name: string;
  /** `json`: whatever is not a plain text, number or truth value. */
  readonly kind: "text" | "number" | "boolean" | "json";
  readonly required: boolean;
  readonly hint: string | undefined;
  readonly example: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** Texts that want more than one line. */
  readonly long: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, InputField["kind"]>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
};

/** The fields of a form for this input schema, the required ones first. */
export function fieldsOf(schema: Schema): InputField[] {
  const required = (schema.required ?? []) as readonly string[];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => ({
    name,
    kind: kinds[String(one.type)] ?? "json",
    required: required.includes(name),
    hint: (one.description as string | undefined) ?? (one.pattern ? `Looks like ${String(one.pattern)}` : undefined),
    example: Array.isArray(one.examples) ? String(one.examples[0]) : undefined,
    choices: one.type === "boolean" ? ["true", "false"] : Array.isArray(one.enum) ? one.enum.map(String) : undefined,
    long: one.type === "string" && Number(one.maxLength ?? 0) > 300,
  }));
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

/** What was filled in, as the skill takes it; what was left empty is left out. Text that is no JSON goes as text: the service says what is wrong with it. */
export function inputOf(fields: readonly InputField[], form: FormData): Record<string, unknown> {
  const filled = fields.map(({ name, kind }) => [name, filledIn(String(form.get(name) ?? ""), kind)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

function filledIn(text: string, kind: InputField["kind"]): unknown {
  if (text === "") return undefined;
  if (kind === "number") return Number(text);
  if (kind === "boolean") return text === "true";
  if (kind === "text") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
