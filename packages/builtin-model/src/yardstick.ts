import type { JsonSchema } from "@aos/json-schema";
import type { Yardstick } from "./contract.ts";
import { spread } from "./fields.ts";
import { type OutputField, type Scalar, scalarAt } from "./outputs.ts";
import { fieldsFor, looksLikeClasses } from "./targets.ts";

type Output = Readonly<Record<string, unknown>>;

/** A number counts as right within this many standard deviations of the examples' values. */
export const toleratedDeviations = 0.25;

/**
 * By what models are judged that answer a skill whose examples are these. What counts is what can be learnt: enumerated, boolean and numeric fields, and texts
 * that come like names of classes, in what is learnt from or in all examples together. A number may be off by a quarter of the standard deviation of those that
 * are learnt from, which is what a model that learns from them states its certainty of; where none is learnt from, of those held out.
 */
export function yardstickOf(schema: JsonSchema, learnt: readonly Output[], heldOut: readonly Output[]): Yardstick {
  const fields = new Map<string, OutputField>();
  for (const field of [...fieldsFor(schema, learnt), ...fieldsFor(schema, heldOut)]) {
    if (!fields.has(field.pointer)) fields.set(field.pointer, field);
  }
  return [...fields.values()].flatMap((field): Yardstick => {
    const { pointer, kind } = field;
    if (kind === "class" || kind === "boolean") return [{ field: pointer, kind, tolerance: 0 }];
    const own = learnt.map((output) => scalarAt(output, field));
    const others = heldOut.map((output) => scalarAt(output, field));
    if (kind === "number") return [{ field: pointer, kind, tolerance: toleranceOf(own) ?? toleranceOf(others) ?? 0 }];
    const counts = kind === "text" && (looksLikeClasses(own) || looksLikeClasses([...own, ...others]));
    return counts ? [{ field: pointer, kind: "class", tolerance: 0 }] : [];
  });
}

function toleranceOf(values: readonly (Scalar | undefined)[]): number | null {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length === 0 ? null : toleratedDeviations * spread(numbers).deviation;
}
