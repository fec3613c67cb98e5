import type { JsonSchema } from "@aos/json-schema";
import { fieldsOfExamples, type OutputField, outputFields, type Scalar, scalarAt } from "./outputs.ts";

type Output = Readonly<Record<string, unknown>>;

/** A field that can be learnt, with its value in each example; undefined where an example has none. */
export interface Target {
  readonly field: OutputField;
  readonly kind: "class" | "boolean" | "number";
  readonly values: readonly (Scalar | undefined)[];
}

/** Texts that are no names of classes: longer ones, and more different ones than this. */
const mostCharacters = 120;
const mostClasses = 2_000;
/** How often a text must come on average to be taken for the name of a class. */
const repeats = 3;

/** The fields of a schema; where it names none, those that the examples answered. */
export function fieldsFor(schema: JsonSchema, outputs: readonly Output[]): readonly OutputField[] {
  const fields = outputFields(schema);
  return fields.length > 0 ? fields : fieldsOfExamples(outputs);
}

/** What can be learnt from examples: enumerated, boolean and numeric fields, and texts that repeat like names of classes. */
export function targetsOf(schema: JsonSchema, outputs: readonly Output[]): Target[] {
  return fieldsFor(schema, outputs).flatMap((field) => {
    const all = outputs.map((output) => scalarAt(output, field));
    if (field.kind === "boolean")
      return some(
        field,
        "boolean",
        all.map((value) => (typeof value === "boolean" ? value : undefined)),
      );
    if (field.kind === "number")
      return some(
        field,
        "number",
        all.map((value) => (typeof value === "number" ? value : undefined)),
      );
    if (field.kind === "class")
      return some(
        field,
        "class",
        all.map((value) => (field.allowed?.includes(value as Scalar) ? value : undefined)),
      );
    return field.kind === "text" && looksLikeClasses(all) ? some(field, "class", all) : [];
  });
}

function some(field: OutputField, kind: Target["kind"], values: readonly (Scalar | undefined)[]): Target[] {
  return values.some((value) => value !== undefined) ? [{ field, kind, values }] : [];
}

/** Whether texts without an enumeration are names of classes all the same: short, few, and each given several times on average. */
export function looksLikeClasses(values: readonly (Scalar | undefined)[]): boolean {
  const given = values.filter((value) => value !== undefined && value !== null);
  if (given.length === 0 || given.some((value) => typeof value !== "string" || value.length > mostCharacters))
    return false;
  const distinct = new Set(given).size;
  return distinct <= mostClasses && given.length >= distinct * repeats;
}
