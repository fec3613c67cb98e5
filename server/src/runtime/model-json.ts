import { readStrictJson } from "@aos/strict-json";

/** What a model wrote, read as JSON: the value, or what keeps it from being one, in words for the model. */
export type ModelJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Reads what a model wrote as strictly as bodies of callers are read (I-JSON, 32 levels at most): what would be stored as something else than the model wrote, or
 * could not be stored at all, is reported to the model instead.
 */
export function readModelJson(text: string): ModelJson {
  const read = readStrictJson(Buffer.from(text.isWellFormed() ? text : text.toWellFormed()));
  if (read.ok) return read;
  return {
    ok: false,
    faults: read.faults.slice(0, 5).map(({ pointer, detail }) => `${pointer === "" ? "The whole" : pointer} ${detail}`),
  };
}
