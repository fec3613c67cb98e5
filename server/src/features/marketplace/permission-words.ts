import type { ListingPermission } from "./words.ts";

export type Level = ListingPermission["level"];

const levels: readonly Level[] = ["low", "elevated", "high"];

/** The level that deserves most care; `low` where there is none. */
export const highest = (some: readonly Level[]): Level =>
  levels[Math.max(0, ...some.map((level) => levels.indexOf(level)))] as Level;

/** A publisher's text as one line of a sentence: what is not seen, or turns the direction, is taken out. */
export const plain = (text: string): string => text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();

/** `a, b and c`. */
export function listed(names: readonly string[]): string {
  const some = names.map(plain);
  return some.length < 2 ? some.join("") : `${some.slice(0, -1).join(", ")} and ${some.at(-1)}`;
}

/** Each once, in an order that does not depend on where it stood. */
export const sortedNames = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Members that say something. */
export const said = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

/** Names by what they use: `hosts` of tools, say. */
export function grouped<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
