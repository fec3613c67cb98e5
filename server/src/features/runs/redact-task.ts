import { type DataKind, dataKinds, type Replaced, redact, restore } from "@aos/data-classes";
import type { RedactDemand } from "../../kernel/verdict.ts";

/** A value with placeholders, and those that were not known before. */
export interface RedactedForTask {
  readonly value: unknown;
  readonly added: Replaced;
}

/**
 * Replaces personal data by placeholders that are a task's own: what has one keeps it, whichever call it turns up in, so that a resumed run goes on with
 * the same ones. `known` are those of the task so far. Placeholders that merely stand in the value are not given out.
 */
export function redactForTask(value: unknown, { kinds }: RedactDemand, known: Replaced): RedactedForTask {
  const chosen = kinds === "all" ? dataKinds : dataKinds.filter((kind) => kinds.includes(kind));
  const { value: local, replaced } = redact(value, chosen satisfies readonly DataKind[]);
  const text = JSON.stringify(local) ?? "";
  const placeholders = new Map(Object.entries(known).map(([placeholder, original]) => [keyOf(original), placeholder]));
  const added: Record<string, string | number> = {};
  const names: Record<string, string> = {};
  for (const [placeholder, original] of Object.entries(replaced)) {
    let name = placeholders.get(keyOf(original));
    if (name === undefined) {
      // The name that it was given here is no text of the value; another one must not be, and both must be new to the task.
      name =
        placeholder in known || placeholder in added
          ? free(placeholder, (one) => one in known || one in added || (!(one in replaced) && text.includes(one)))
          : placeholder;
      added[name] = original;
    }
    names[placeholder] = name;
  }
  return { value: restore(local, names), added };
}

/** Texts and numbers that look alike are different. */
const keyOf = (original: string | number): string => JSON.stringify(original);

/** The first placeholder of the same label that is not taken. */
function free(placeholder: string, taken: (name: string) => boolean): string {
  const label = placeholder.slice(0, placeholder.lastIndexOf("_"));
  for (let count = 1; ; count++) {
    const name = `${label}_${count}]`;
    if (!taken(name)) return name;
  }
}

/** Replaces what stands behind known placeholders wherever it stands in a text, the longest first: a sentence has no names by which detectors would find it. */
export function hideKnown(text: string, known: Replaced): string {
  const longestFirst = Object.entries(known).sort(([, a], [, b]) => String(b).length - String(a).length);
  return longestFirst.reduce(
    (hidden, [placeholder, original]) => hidden.replaceAll(String(original), () => placeholder),
    text,
  );
}
