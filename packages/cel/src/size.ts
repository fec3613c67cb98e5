// Sizes of values, for what it costs to walk them. Values of expressions do not change once they are made, so that what was found is kept.

const sizes = new WeakMap<object, number>();

/** Enumerating members of an object with very many takes longer for each. */
export const keysCost = (count: number): number => (count <= 64 ? count : count * 16);

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** A value's size and how many values were visited to find it. */
export interface Walked {
  visited: number;
}

/**
 * Units that a walk over a value costs: about one for each value, more for wide objects and long texts. What is shared counts wherever it stands. Stops
 * once it is above `most`.
 */
export function sizeOf(value: unknown, most: number, walked: Walked): number {
  if (typeof value === "string") return 1 + (value.length >>> 4);
  if (typeof value !== "object" || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  walked.visited++;
  let size = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (size > most) return size;
      size += sizeOf(item, most - size, walked);
    }
  } else if (value instanceof Uint8Array) size += value.length >>> 4;
  else if (isPlain(value)) {
    const keys = Object.keys(value);
    walked.visited += keysCost(keys.length);
    size += keysCost(keys.length);
    for (const key of keys) {
      if (size > most) return size;
      size += sizeOf((value as Record<string, unknown>)[key], most - size, walked);
    }
  }
  if (size > 8 && size <= most) sizes.set(value, size);
  return size;
}

/** Levels of a value that its type names; below, lists and maps are of anything. Without a bound, values could make any number of types, which are kept. */
export const TYPED_LEVELS = 4;

/** Units for finding a value's type: the library looks at the first member of each list and map, and enumerates all members of a map for that. */
export function typingCost(value: unknown, levels = TYPED_LEVELS): number {
  if (typeof value !== "object" || value === null || levels === 0) return 0;
  if (Array.isArray(value)) return 1 + typingCost(value[0], levels - 1);
  if (!isPlain(value)) return 0;
  return keysCost(keysOf(value)) + typingCost(firstOf(value), levels - 1);
}

const counts = new WeakMap<object, number>();

function keysOf(value: object): number {
  const known = counts.get(value);
  if (known !== undefined) return known;
  const { length } = Object.keys(value);
  if (length > 8) counts.set(value, length);
  return length;
}

function firstOf(value: object): unknown {
  for (const key in value) return (value as Record<string, unknown>)[key];
  return undefined;
}

/** The smaller size of two values, without walking the larger one whole; above `most`: one more than that. */
export function smallerSize(a: unknown, b: unknown, most: number, walked: Walked): number {
  for (let limit = 64; ; limit *= 2) {
    const size = Math.min(sizeOf(a, limit, walked), sizeOf(b, limit, walked));
    if (size <= limit) return size;
    if (limit > most || walked.visited > most) return most + 1;
  }
}
