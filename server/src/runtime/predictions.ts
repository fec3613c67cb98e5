import { resolvePointer } from "@aos/strict-json";
import type { Predictions } from "./port.ts";
import type { Turn } from "./turn.ts";

/** Fields and values that are kept at most: enough to rank by, and small beside the answer. */
const most = { fields: 50, values: 10 } as const;

type Note = Readonly<Record<string, unknown>>;
type Prediction = Predictions[string][number];

/** What the built-in model held possible for each field of its answer that it learnt, the likeliest first, "none of these" last; null: it says nothing of it. */
export function predictionsOf({ notes }: Pick<Turn, "notes">, output: Note): Predictions | null {
  const fields = isObject(notes?.fields) ? Object.entries(notes.fields) : [];
  const found: Record<string, readonly Prediction[]> = {};
  for (const [pointer, note] of fields.slice(0, most.fields)) {
    const values = isObject(note) ? valuesOf(note, resolvePointer(output, pointer)) : [];
    if (values.length > 0) found[pointer] = values;
  }
  return Object.keys(found).length === 0 ? null : found;
}

/** A field that was copied (it has citations) was not predicted. */
function valuesOf({ predictions, probability, none, citations }: Note, value: unknown): Prediction[] {
  if (citations !== undefined) return [];
  const told = Array.isArray(predictions) ? predictions.filter(isObject) : [];
  const listed = told.filter((one) => one.none !== true).map((one) => prediction(one.value, one.probability));
  const values = listed.length > 0 ? listed : [prediction(value, probability)];
  const ranked = values.filter((one) => one !== null).sort((a, b) => b.probability - a.probability);
  const noneOf = prediction(null, none ?? told.find((one) => one.none === true)?.probability);
  return [
    ...ranked.slice(0, most.values),
    ...(noneOf && ranked.length > 0 ? [{ ...noneOf, none: true as const }] : []),
  ];
}

function prediction(value: unknown, probability: unknown): Prediction | null {
  if (typeof probability !== "number" || !Number.isFinite(probability) || !isScalar(value)) return null;
  return { value, probability: Math.round(Math.min(1, Math.max(0, probability)) * 10_000) / 10_000 };
}

const isScalar = (value: unknown): value is Prediction["value"] =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function isObject(value: unknown): value is Note {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
