import { type FilledField, fillField } from "./fill.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";
import { freeField, type OutputField, outputFields, place } from "./outputs.ts";
import type { ClassProbability, Predictor, Reading } from "./predictor.ts";
import { quoteFor } from "./quoting.ts";

/** What a text of the answer was taken from, word for word. */
export interface Citation {
  /** `input`, or the name of the tool that found it. */
  readonly from: string;
  /** JSON Pointer from there. */
  readonly path: string;
  readonly text: string;
}

/** What one field of the answer stands on. */
export type FieldNote =
  | {
      readonly probability: number;
      readonly citations?: readonly Citation[];
      /** Of a class: the likeliest ones, calibrated, the one that was given first, and the probability that none of them fits. */
      readonly predictions?: readonly ClassProbability[];
      readonly none?: number;
    }
  | { readonly citations: readonly Citation[] }
  | { readonly left_out: string };

/** An answer, and what the model says of it. */
export interface Answer {
  readonly output: Readonly<Record<string, unknown>>;
  /** By JSON Pointer in the output. */
  readonly fields: Readonly<Record<string, FieldNote>>;
  /** From 0 to 1: how much of what was asked for stands on examples, records or chunks. */
  readonly groundedness: number;
  /** That all fields that can be judged are right; left out where nothing of it was learnt. */
  readonly probability?: number;
  /** From 0 to 1: how far the input lies from what was learnt; left out where nothing was, or the artifact cannot say. */
  readonly novelty?: number;
}

/** One field filled: its value, what it stands on, and how firmly. */
interface Filled {
  readonly value: unknown;
  readonly note: FieldNote;
  readonly support: number;
}

/** Up to this novelty an answer stands firmly on what was learnt; where the artifact cannot tell it, this share of the features must be known. */
const firmly = 0.5;

/** The fields that an answer is to have: the schema's; without a schema what was learnt, or one text. */
export function wantedFields(schema: object | null, predictor: Predictor | null): readonly OutputField[] {
  const fields = schema === null ? [] : outputFields(schema);
  if (fields.length > 0) return fields;
  const learnt = predictor?.artifact.heads.map(({ facts }) => {
    const tokens = facts.field
      .slice(1)
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    return freeField(facts.field, tokens, facts.kind);
  });
  if (learnt && learnt.length > 0) return learnt;
  return schema === null ? [freeField("/text", ["text"], "text")] : [];
}

/** Whether a text is wanted that has to be found, because nothing was learnt about it. */
export function wantsText(fields: readonly OutputField[], predictor: Predictor | null): boolean {
  return fields.some(({ kind, pointer }) => (kind === "text" || kind === "texts") && !predictor?.knows(pointer));
}

/** Answers: fields that were learnt are predicted, fields of the same name copied, texts quoted. What nothing supports is left out, with the reason. */
export function answerTo(fields: readonly OutputField[], predictor: Predictor | null, source: Source): Answer {
  const reading = predictor?.read(source);
  const leaves = reading?.leaves ?? leavesOf(source);
  const known = reading ? firmness(reading) : 0;
  const output: Record<string, unknown> = {};
  const notes: [string, FieldNote][] = [];
  const reasons: Leaf[] = [];
  let [support, right, learnt] = [0, 1, 0];
  const take = (field: OutputField, filled: Filled | null): void => {
    notes.push([
      field.pointer,
      filled?.note ?? { left_out: asksForWhatIsAbsent(field) ? absent : reasonOf(field, predictor) },
    ]);
    if (!filled) return;
    place(output, field.tokens, filled.value);
    support += filled.support;
    if (!("probability" in filled.note)) return;
    right *= filled.note.probability;
  };
  const later: OutputField[] = [];
  for (const field of fields) {
    const one = fillField(field, predictor, leaves);
    const text = field.kind === "text" || field.kind === "texts";
    if (!one && text) later.push(field);
    else take(field, one && filledFrom(one, known, text));
    if (one && !one.copied) learnt++;
    if (one && !one.copied && reasons.length === 0)
      reasons.push(...(predictor?.reasons(field.pointer, one.value) ?? []).map(({ leaf }) => leaf));
  }
  for (const field of later) take(field, asksForWhatIsAbsent(field) ? null : quote(field, source, leaves, reasons));
  const groundedness = fields.length === 0 ? 0 : support / fields.length;
  const told =
    learnt > 0
      ? { probability: right, ...(reading && reading.novelty !== null ? { novelty: reading.novelty } : {}) }
      : {};
  return { output, fields: Object.fromEntries(notes), groundedness, ...told };
}

function filledFrom({ value, probability, copied, ...told }: FilledField, known: number, text: boolean): Filled {
  if (!copied) return { value, note: { probability, ...told }, support: known };
  const citations = [{ from: copied.from, path: copied.path, text: String(copied.value) }];
  return { value, note: text ? { citations } : { probability, citations }, support: 1 };
}

/** How firmly what is predicted stands on what was learnt. */
function firmness({ known, novelty }: Reading): number {
  return novelty === null ? Math.min(1, known / firmly) : 1 - Math.max(0, novelty - firmly) / (1 - firmly);
}

/** A text made of quotations only. */
function quote(field: OutputField, source: Source, leaves: readonly Leaf[], reasons: readonly Leaf[]): Filled | null {
  const quoted = quoteFor(field, source, leaves, reasons);
  if (!quoted) return null;
  const citations = quoted.quotables.map(({ from, path, text }) => ({ from, path, text }));
  return { value: quoted.value, note: { citations }, support: quoted.support };
}

const absent = "This asks for what is not there, and only what is there can be quoted.";
/** Words of English that ask for what nobody has said, where they follow what is asked for or stand before it. */
const negated =
  /\b(?:what|which|whatever|who|things?|facts?|questions?|points?|fields?|details?)\b.*\b(?:not|never|missing|lacks?|lacking|absent|unknown|unclear|unanswered|open)\b|\b(?:missing|lacking|absent|unknown|unclear|unanswered|open)[\s_-]+(?:\w+[\s_-]+)?(?:things?|facts?|questions?|points?|fields?|details?|information)\b/i;

/** Whether all that a text is to say, by its name and description, is what is not known: nothing that can be quoted says that. */
function asksForWhatIsAbsent({ kind, description }: OutputField): boolean {
  if (kind !== "text" && kind !== "texts") return false;
  return description
    .split(/[.;:,?!\n]+/)
    .filter((clause) => clause.trim() !== "")
    .every((clause) => negated.test(clause));
}

function reasonOf({ kind }: OutputField, predictor: Predictor | null): string {
  if (kind === "text" || kind === "texts") return "Nothing was found that answers this.";
  if (kind === "unsupported")
    return "The built-in model fills texts, lists of texts, enumerations, booleans and numbers only.";
  return predictor
    ? "Nothing was learnt about this, and no record has a field of this name."
    : "The model is not trained, and no record has a field of this name.";
}
