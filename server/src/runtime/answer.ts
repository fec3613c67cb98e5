import { compileUserSchema, type Validator } from "@aos/json-schema";
import { readModelJson } from "./model-json.ts";
import type { AnswerFeatures, Failure } from "./port.ts";
import { faultTexts } from "./tools.ts";
import type { Turn } from "./turn.ts";

type Output = Readonly<Record<string, unknown>>;

/** What a turn without calls comes to: the result, or what it breaks. */
export type Judged =
  | { readonly ok: true; readonly output: Output }
  | { readonly ok: false; readonly faults: readonly string[] };

const validators = new WeakMap<object, Validator>();

/** All that a turn says. */
export const textOf = ({ parts }: Pick<Turn, "parts">): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");

/** A text without what no text of the database can hold. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Reads a result off a turn and holds it to the skill's output schema. Where the skill has none, whatever JSON object it is, or its text. */
export function judgeAnswer(schema: Output | null, turn: Pick<Turn, "parts">): Judged {
  const text = textOf(turn);
  const read = objectIn(text);
  if (schema === null) return { ok: true, output: read.ok ? read.output : { text: storable(text) } };
  if (!read.ok) return read;
  const { output } = read;
  let validate = validators.get(schema);
  if (!validate) {
    const compiled = compileUserSchema(schema);
    validate = compiled.ok ? compiled.validate : () => compiled.faults;
    validators.set(schema, validate);
  }
  const faults = faultTexts(validate(output));
  return faults.length === 0 ? { ok: true, output } : { ok: false, faults };
}

/** The JSON object that a text is, also inside a code fence, as models like to write; or what keeps it from being one. */
function objectIn(text: string): Judged {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  const read = readModelJson(bare);
  if (!read.ok) return read;
  const { value } = read;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, faults: ["The whole is no JSON object"] };
  return { ok: true, output: value as Output };
}

/** Why a turn that ended so is no answer; undefined: it is one. */
export function brokenOff({ finish }: Pick<Turn, "finish">, model: string): Failure | undefined {
  const ways: Partial<Record<Turn["finish"], Failure>> = {
    length: {
      code: "answer_cut_off",
      detail: `The answer of ${model} is longer than the tokens that it may use; raise the limit on tokens or money, or the model's \`max_output_tokens\`.`,
    },
    "content-filter": {
      code: "answer_withheld",
      detail: `The provider of ${model} withheld the answer by its content filter.`,
    },
    error: { code: "model_failed", detail: `${model} broke off with an error; try the task again.` },
    interrupted: {
      code: "model_failed",
      detail: `The stream of ${model} ended before its answer was whole; try the task again.`,
    },
  };
  return ways[finish];
}

/** What a model says of its answer. The built-in one learnt how often such answers are right; another one tells what it thinks. */
export function featuresOf({ notes }: Pick<Turn, "notes">): AnswerFeatures {
  const share = (value: unknown): number | undefined =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : undefined;
  const [probability, grounded, novelty] = [
    share(notes?.probability),
    share(notes?.groundedness),
    share(notes?.novelty),
  ];
  const source = notes?.probability_source === "told" ? "told" : "trained";
  return {
    ...(probability === undefined ? {} : { probability, probability_source: source }),
    ...(grounded === undefined ? {} : { ungrounded: 1 - grounded }),
    ...(novelty === undefined ? {} : { novelty }),
  };
}
