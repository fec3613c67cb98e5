// What PostgreSQL takes as text: no NUL, and no half of a surrogate pair. The length stays, so that offsets do.

export const soundText = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();

/** The same for every text in a value of JSON. */
export function soundValue<T>(value: T): T {
  if (typeof value === "string") return soundText(value) as T;
  if (Array.isArray(value)) return value.map(soundValue) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [soundText(name), soundValue(one)])) as T;
}
