import { type FilledField, fillField } from "./fill.ts";
import { type Leaf, leavesOf, type Source } from "./leaves.ts";
import { freeField, type OutputField, outputFields, place } from "./outputs.ts";
import { askedWords, bestQuotations, labelOf, type Quotable, quotablesOf, sentencesOf } from "./passages.ts";
import type { Predictor } from "./predictor.ts";

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
  | { readonly probability: number; readonly citations?: readonly Citation[] }
  | { readonly citations: readonly Citation[] }
  | { readonly left_out: string };

/** An answer, and what the model says of it. */
export interface Answer {
  readonly output: Readonly<Record<string, unknown>>;
  /** By JSON Pointer in the output. */
  readonly fields: Readonly<Record<string, FieldNote>>;
  /** From 0 to 1: how much of what was asked for stands on examples, records or passages. */
  readonly groundedness: number;
  /** From 0 to 1: the probability that something in it is wrong. */
  readonly uncertainty: number;
  /** From 0 to 1: that all fields that were learnt are right; absent where none was. */
  readonly probability?: number;
}

/** One field filled: its value, what it stands on, and how firmly. */
interface Filled {
  readonly value: unknown;
  readonly note: FieldNote;
  readonly support: number;
}

/** Sentences that a text is made of at most, texts of a list, and fields that are named as reasons. */
const most = { sentences: 2, items: 3, reasons: 3 } as const;
const longestText = 1_000;
/** How firmly a text stands on a record of which nothing is known but that it was looked up. */
const loosely = 0.3;
/** Share of an example's features that must be known for it to stand firmly on what was learnt: new word sequences come in every text. */
const firmlyKnown = 0.5;

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
  const known = Math.min(1, (reading?.known ?? 0) / firmlyKnown);
  const output: Record<string, unknown> = {};
  const notes: [string, FieldNote][] = [];
  const reasons: Leaf[] = [];
  let [support, right, certain] = [0, 1, 0];
  const take = (field: OutputField, filled: Filled | null): void => {
    notes.push([field.pointer, filled?.note ?? { left_out: asksForWhatIsAbsent(field) ? absent : reasonOf(field, predictor) }]);
    if (!filled) return;
    place(output, field.tokens, filled.value);
    support += filled.support;
    if (!("probability" in filled.note)) return;
    right *= filled.note.probability;
    certain++;
  };
  const later: OutputField[] = [];
  for (const field of fields) {
    const one = fillField(field, predictor, leaves);
    const text = field.kind === "text" || field.kind === "texts";
    if (!one && text) later.push(field);
    else take(field, one && filledFrom(one, known, text));
    if (one && !one.copied && reasons.length === 0)
      reasons.push(...(predictor?.reasons(field.pointer, one.value) ?? []).map(({ leaf }) => leaf));
  }
  const quotables = later.length > 0 ? quotablesOf(source) : [];
  for (const field of later) take(field, asksForWhatIsAbsent(field) ? null : quote(field, quotables, reasons, leaves));
  const groundedness = fields.length === 0 ? 0 : support / fields.length;
  const said = Object.keys(output).length > 0;
  return {
    output,
    fields: Object.fromEntries(notes),
    groundedness,
    uncertainty: certain > 0 ? 1 - right : said ? 1 - groundedness : 1,
    ...(certain > 0 ? { probability: right } : {}),
  };
}

function filledFrom({ value, probability, copied }: FilledField, known: number, text: boolean): Filled {
  if (!copied) return { value, note: { probability }, support: known };
  const citations = [{ from: copied.from, path: copied.path, text: String(copied.value) }];
  return { value, note: text ? { citations } : { probability, citations }, support: 1 };
}

/** A text made of quotations only: the fields that decided what was learnt, then the sentences that fit what is asked best. */
function quote(field: OutputField, quotables: readonly Quotable[], reasons: readonly Leaf[], leaves: readonly Leaf[]): Filled | null {
  const decided = reasons.slice(0, most.reasons).map((leaf) => ({ quotable: quotationOf(leaf), support: 1 }));
  const open = quotables.filter((one) => (one.label === null || reasons.length === 0) && !saysOnlyWhatWasAsked(one, leaves));
  const wanted = field.kind === "texts" ? most.items : most.sentences;
  const pieces = [...decided, ...bestQuotations(open, askedWords(field.description, leaves), wanted)];
  if (pieces.length === 0) pieces.push(...firstOfRecord(quotables, leaves));
  for (let count = pieces.length; count > 0; count--) {
    const used = pieces.slice(0, count);
    const citations = used.map(({ quotable: { from, path, text } }) => ({ from, path, text }));
    const written = used.map(({ quotable }) => writtenOf(quotable));
    const value = field.kind === "texts" ? written : written.join(" ");
    if ((typeof value === "string" && value.length > longestText) || !field.fits(value)) continue;
    return { value, note: { citations }, support: Math.max(...used.map(({ support }) => support)) };
  }
  return null;
}

/** Where nothing fits, what a record that was looked up says first is still about the matter; what a search brought up (it has scores) need not be. */
function firstOfRecord(quotables: readonly Quotable[], leaves: readonly Leaf[]): { quotable: Quotable; support: number }[] {
  const searched = new Set(leaves.filter(({ path }) => path.endsWith("/score")).map(({ from }) => from));
  const first = quotables.find(({ from, label }) => label === null && from !== "input" && !searched.has(from));
  return first ? [{ quotable: first, support: loosely }] : [];
}

/** A value that the records were looked up by, an id above all, answers nothing. */
function saysOnlyWhatWasAsked({ label, text }: Quotable, leaves: readonly Leaf[]): boolean {
  return label !== null && leaves.some(({ from, value }) => from === "input" && String(value) === text);
}

function quotationOf(leaf: Leaf): Quotable {
  const text = String(leaf.value);
  const [first] = sentencesOf(text);
  return { from: leaf.from, path: leaf.path, text: first ?? text, label: labelOf(leaf) };
}

function writtenOf({ label, text }: Quotable): string {
  return label === null ? text : `${label}: ${text}${/[.!?]$/.test(text) ? "" : "."}`;
}

const absent = "This asks for what is not there, and only what is there can be quoted.";
/** Words of English that ask for what nobody has said, where they follow what is asked for or stand before it. */
const negated =
  /\b(?:what|which|whatever|who|things?|facts?|questions?|points?|fields?|details?)\b.*\b(?:not|never|missing|lacks?|lacking|absent|unknown|unclear|unanswered|open)\b|\b(?:missing|lacking|absent|unknown|unclear|unanswered|open)[\s_-]+(?:\w+[\s_-]+)?(?:things?|facts?|questions?|points?|fields?|details?|information)\b/i;

/** Whether all that a text is to say, by its name and description, is what is not known: nothing that can be quoted says that. */
function asksForWhatIsAbsent({ kind, description }: OutputField): boolean {
  if (kind !== "text" && kind !== "texts") return false;
  return description.split(/[.;:,?!\n]+/).filter((clause) => clause.trim() !== "").every((clause) => negated.test(clause)); // biome-ignore format: one thought
}

function reasonOf({ kind }: OutputField, predictor: Predictor | null): string {
  if (kind === "text" || kind === "texts") return "Nothing was found that answers this.";
  if (kind === "unsupported") return "The built-in model fills texts, lists of texts, enumerations, booleans and numbers only.";
  return predictor
    ? "Nothing was learnt about this, and no record has a field of this name."
    : "The model is not trained, and no record has a field of this name.";
}
