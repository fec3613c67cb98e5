// Where something stands in an answer (`data.items`, `authors.0.name`), and texts with such places in braces.

/** Undefined: it is not there. */
export function valueAt(value: unknown, place: string | undefined): unknown {
  if (place === undefined) return value;
  let found = value;
  for (const name of place.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Empty: no value. */
export function textAt(value: unknown, place: string | undefined): string {
  const found = valueAt(value, place);
  if (found === null || found === undefined) return "";
  return typeof found === "object" ? JSON.stringify(found) : String(found);
}

const inBraces = /\{([^\s{}]+)\}/g;

export const fill = (template: string, item: unknown, write: (text: string) => string = (text) => text): string =>
  template.replaceAll(inBraces, (_, place: string) => write(textAt(item, place)));

/** Null: not JSON. Integers that a number cannot hold become text, digit by digit. */
export function parseJson(body: Uint8Array): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder().decode(body), exactly) };
  } catch {
    return null;
  }
}

function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^-?\d+$/.test(source) ? source : value;
}
