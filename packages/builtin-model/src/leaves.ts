import { escapeToken } from "@aos/strict-json";

/** A scalar of the input or of a record, with where it stands. */
export interface Leaf {
  /** `/input/…` or `/records/<tool>/…` as a JSON Pointer, in which `*` stands for every index of an array: leaves of one meaning share it. */
  readonly key: string;
  /** `input`, or the name of the tool that found it. */
  readonly from: string;
  /** JSON Pointer from there. */
  readonly path: string;
  readonly value: string | number | boolean;
}

/** What an example is read from. */
export interface Source {
  readonly input: Readonly<Record<string, unknown>>;
  readonly records: Readonly<Record<string, unknown>>;
}

/** What is read of one example at most: its model is bounded whatever a caller sends. */
export const leafLimits = { leaves: 2_000, depth: 12, characters: 20_000 } as const;

/** All scalars of an input and its records, in their own order, within {@link leafLimits}. Empty texts and nulls are missing, and no leaves. */
export function leavesOf({ input, records }: Source): Leaf[] {
  const leaves: Leaf[] = [];
  walk(input, "/input", "input", "", 0, leaves);
  for (const tool of Object.keys(records)) walk(records[tool], `/records/${escapeToken(tool)}`, tool, "", 0, leaves);
  return leaves;
}

function walk(value: unknown, key: string, from: string, path: string, depth: number, leaves: Leaf[]): void {
  if (leaves.length >= leafLimits.leaves || depth > leafLimits.depth) return;
  if (typeof value === "string") {
    if (value.trim() !== "") leaves.push({ key, from, path, value: value.slice(0, leafLimits.characters) });
  } else if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) {
    leaves.push({ key, from, path, value });
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      if (leaves.length >= leafLimits.leaves) return;
      walk(item, `${key}/*`, from, `${path}/${at}`, depth + 1, leaves);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const name of Object.keys(value)) {
      const token = `/${escapeToken(name)}`;
      walk((value as Record<string, unknown>)[name], key + token, from, path + token, depth + 1, leaves);
    }
  }
}

const decimal = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,3})?$/;

/** The number that a leaf is, also where it is written as text, as tables do; null: it is none. */
export function numberIn(value: Leaf["value"]): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > 48) return null;
  const text = value.trim();
  if (!decimal.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
