import { type Leaf, leavesOf, numberIn, type Source } from "./leaves.ts";
import type { OutputField, Scalar } from "./outputs.ts";
import type { ClassProbability, Predictor } from "./predictor.ts";

/** A field of the output with its value, and what it stands on. */
export interface FilledField {
  readonly value: Scalar;
  /** That the value is right. A value that was copied is as good as the record. */
  readonly probability: number;
  /** Where it was copied from; null: it was predicted. */
  readonly copied: Leaf | null;
  /** Of a predicted class: the likeliest ones, and the probability that none of them fits. */
  readonly predictions?: readonly ClassProbability[];
  readonly none?: number;
}

/** How far a value is trusted that stands in the input or a record under the field's own name. */
const copiedProbability = 0.95;

/**
 * Fills what can be filled without writing text: what was learnt is predicted; a field of the same name in the records or the input, whose value fits the
 * schema, is copied. Everything else is left out.
 */
export function answerFields(fields: readonly OutputField[], predictor: Predictor | null, source: Source): Map<OutputField, FilledField> {
  const leaves = predictor ? predictor.read(source).leaves : leavesOf(source);
  const filled = new Map<OutputField, FilledField>();
  for (const field of fields) {
    const one = fillField(field, predictor, leaves);
    if (one) filled.set(field, one);
  }
  return filled;
}

/** Fills one field of the example that the predictor has read. */
export function fillField(field: OutputField, predictor: Predictor | null, leaves: readonly Leaf[]): FilledField | null {
  const predicted = predictor?.predict(field) ?? null;
  if (predicted && field.fits(predicted.value)) {
    const { value, probability, predictions, none } = predicted;
    return { value, probability, copied: null, ...(predictions === null ? {} : { predictions, none }) };
  }
  return copyField(field, leaves);
}

/** Records say more than the input, which is often only what the record was looked up by. */
function copyField(field: OutputField, leaves: readonly Leaf[]): FilledField | null {
  if (field.kind === "texts" || field.kind === "unsupported") return null;
  const name = plain(field.tokens.at(-1) as string);
  const named = leaves.filter((leaf) => plain(leaf.path.slice(leaf.path.lastIndexOf("/") + 1)) === name);
  const ordered = [...named.filter(({ from }) => from !== "input"), ...named.filter(({ from }) => from === "input")];
  for (const leaf of ordered) {
    const value = asKind(field, leaf.value);
    if (value !== null && field.fits(value)) return { value, probability: copiedProbability, copied: leaf };
  }
  return null;
}

/** Names that differ in case, spaces, dashes and underscores only are the same. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "");
}

function asKind({ kind, allowed }: OutputField, value: Leaf["value"]): Scalar | null {
  if (kind === "number") return numberIn(value);
  if (kind === "boolean") {
    if (typeof value === "boolean") return value;
    const word = String(value).trim().toLowerCase();
    return word === "true" || word === "yes" ? true : word === "false" || word === "no" ? false : null;
  }
  if (kind === "class") return allowed?.find((label) => label === value || String(label) === String(value)) ?? null;
  return typeof value === "string" ? value : String(value);
}
