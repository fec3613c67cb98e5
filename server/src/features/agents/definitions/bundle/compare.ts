import { canonicalJson, pointerOf } from "@aos/strict-json";
import { shortened } from "@aos/text";
import type { DefinitionChange } from "./diff-schemas.ts";
import { isObject } from "./faults.ts";
import { diffText } from "./text-diff.ts";

export type Difference = Omit<DefinitionChange, "effect">;

type Tokens = readonly (string | number)[];

interface Place {
  readonly before: Tokens;
  readonly after: Tokens;
  readonly path: readonly string[];
  /** Members that are names of things in lists. */
  readonly names: readonly string[];
}

/**
 * Every difference of two values, field by field in the order of their fields. Lists of named things are matched by name (the first of `names` that they have),
 * lists of plain values by value, other lists by position. Empty exactly where both have the same canonical JSON.
 */
export function compare(before: unknown, after: unknown, names: readonly string[] = ["name"]): Difference[] {
  return differences(before, after, { before: [], after: [], path: [], names });
}

function differences(before: unknown, after: unknown, at: Place): Difference[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ pointer: pointerOf(at.after), path: [...at.path], kind: "added", after }];
  if (after === undefined) return [{ pointer: pointerOf(at.before), path: [...at.path], kind: "removed", before }];
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const within = partDifferences(before, after, at);
  return within.length > 0 ? within : [{ ...placed(at), kind: "changed", before, after, ...textPart(before, after) }];
}

function partDifferences(before: unknown, after: unknown, at: Place): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, at);
  if (!isObject(before) || !isObject(after)) return [];
  const names = [...Object.keys(before), ...Object.keys(after).filter((name) => !Object.hasOwn(before, name))];
  return names.flatMap((name) => differences(own(before, name), own(after, name), below(at, name, name, name)));
}

function textPart(before: unknown, after: unknown): Pick<Difference, "text"> {
  const isText =
    typeof before === "string" && typeof after === "string" && (before.includes("\n") || after.includes("\n"));
  return isText ? { text: diffText(before, after) } : {};
}

function listDifferences(before: readonly unknown[], after: readonly unknown[], at: Place): Difference[] {
  const [a, b] = [keysOf(before, at.names), keysOf(after, at.names)];
  if (a === null || b === null) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
      differences(before[index], after[index], below(at, index, index, String(index))),
    ).flat();
  }
  const [inBefore, inAfter] = [positions(a), positions(b)];
  const found: Difference[] = [];
  for (const [index, { key, shown }] of a.entries()) {
    if (!inAfter.has(key)) found.push(...differences(before[index], undefined, below(at, index, index, shown)));
  }
  const kept = unmoved(b.flatMap(({ key }) => inBefore.get(key) ?? []));
  for (const [index, { key, shown }] of b.entries()) {
    const from = inBefore.get(key);
    const place = below(at, from ?? index, index, shown);
    if (from === undefined) found.push(...differences(undefined, after[index], place));
    else {
      if (!kept.has(from)) found.push({ ...placed(place), kind: "moved", before: from, after: index });
      found.push(...differences(before[from], after[index], place));
    }
  }
  return found;
}

interface Key {
  readonly key: string;
  readonly shown: string;
}

/**
 * By what the items of a list are known, each by a key of its own: the how-manieth it is of its name, its input (of unnamed examples) or its value, and that.
 * The number stands first and ends at the first space, so that no name reads as another one with a number. Null: by position.
 */
function keysOf(list: readonly unknown[], names: readonly string[]): Key[] | null {
  const seen = new Map<string, number>();
  const keys: Key[] = [];
  for (const item of list) {
    const known = keyOf(item, names);
    if (known === null) return null;
    const count = (seen.get(known.key) ?? 0) + 1;
    seen.set(known.key, count);
    keys.push({ key: `${count} ${known.key}`, shown: count === 1 ? known.shown : `${known.shown} (${count})` });
  }
  return keys;
}

function keyOf(item: unknown, names: readonly string[]): Key | null {
  if (!isObject(item))
    return Array.isArray(item) ? null : { key: `value ${canonicalJson(item)}`, shown: shorten(String(item)) };
  const name = names.map((member) => item[member]).find((value) => typeof value === "string");
  if (typeof name === "string") return { key: `name ${name}`, shown: name };
  if (!Object.hasOwn(item, "input")) return null;
  const input = canonicalJson(item.input);
  return { key: `input ${input}`, shown: shorten(input) };
}

const shorten = (text: string): string => shortened(text, 59);
const positions = (keys: readonly Key[]): Map<string, number> => new Map(keys.map(({ key }, index) => [key, index]));

/** Of a sequence of different numbers, those of a longest increasing part (patience sorting): the items that need not have moved. */
function unmoved(sequence: readonly number[]): Set<number> {
  const ends: number[] = []; // ends[n]: index of the least end of an increasing part of n + 1 items
  const previous: (number | undefined)[] = [];
  for (const [index, value] of sequence.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sequence[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1]);
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) kept.add(sequence[index]!);
  return kept;
}

function below(at: Place, before: string | number, after: string | number, shown: string): Place {
  return { ...at, before: [...at.before, before], after: [...at.after, after], path: [...at.path, shown] };
}

function placed(at: Place): Pick<Difference, "pointer" | "from" | "path"> {
  const [pointer, from] = [pointerOf(at.after), pointerOf(at.before)];
  return { pointer, ...(from === pointer ? {} : { from }), path: [...at.path] };
}

const own = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
