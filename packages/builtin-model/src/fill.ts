import { foundBySearch, isProse } from "./chunks.ts";
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
export function answerFields(
  fields: readonly OutputField[],
  predictor: Predictor | null,
  source: Source,
): Map<OutputField, FilledField> {
  const leaves = predictor ? predictor.read(source).leaves : leavesOf(source);
  const filled = new Map<OutputField, FilledField>();
  for (const field of fields) {
    const one = fillField(field, predictor, leaves);
    if (one) filled.set(field, one);
  }
  return filled;
}

/** Fills one field of the example that the predictor has read. */
export function fillField(
  field: OutputField,
  predictor: Predictor | null,
  leaves: readonly Leaf[],
): FilledField | null {
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
  const searched = foundBySearch(leaves);
  const named = leaves.filter((leaf) => isSameField(field.tokens, leaf) && !searched(leaf));
  const ordered = [...named.filter(({ from }) => from !== "input"), ...named.filter(({ from }) => from === "input")];
  for (const leaf of ordered) {
    if (isQuestion(field, leaf)) continue;
    const value = asKind(field, leaf.value);
    if (value !== null && field.fits(value)) return { value, probability: copiedProbability, copied: leaf };
  }
  return null;
}

/** A text that came with the input is what is asked, and no answer to it. */
function isQuestion({ kind }: OutputField, { from, path, value }: Leaf): boolean {
  if (from !== "input" || kind !== "text") return false;
  return isProse(String(value)) || questions.has(plain(path.slice(path.lastIndexOf("/") + 1)));
}
const questions: ReadonlySet<string> = new Set("text message question query content body comment request".split(" "));

/** Names that say nothing without what they belong to: a supplier's is not the customer's. */
const generic: ReadonlySet<string> = new Set(
  "name title type kind status state text description value amount date number code label email phone address note comment id url".split(
    " ",
  ),
);
/** Objects that only wrap a record. */
const wrappers: ReadonlySet<string> = new Set(
  "data fields record records result results item items entry attributes properties".split(" "),
);

/** Whether a leaf is the field of this name: where the name says nothing by itself, also of the same thing. */
function isSameField(tokens: readonly string[], { path }: Leaf): boolean {
  const names = path
    .split("/")
    .slice(1)
    .filter((name) => !/^\d+$/.test(name))
    .map(plain);
  const wanted = tokens.map(plain);
  const name = names.pop();
  if (name === undefined || name !== wanted.pop()) return false;
  const [of, owner] = [
    names.filter((one) => !wrappers.has(one)).at(-1),
    wanted.filter((one) => !wrappers.has(one)).at(-1),
  ];
  return !generic.has(name) || of === owner;
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
