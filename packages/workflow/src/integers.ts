import type { Schema } from "./value-schemas.ts";

// Numbers of JSON as expressions see them: a double, or an int where the schema says `type: integer`.

type Convert = (value: unknown) => unknown;

const keep: Convert = (value) => value;

/** By schema; `keep` where it declares no integer. Schemas of a version do not change. */
const converters = new WeakMap<object, Convert>();
/** By value of JSON, what a converter made of it: a run's input and outputs are looked at many times. */
const converted = new WeakMap<object, { readonly by: Convert; readonly value: unknown }>();

/**
 * A value of JSON whose numbers are `bigint`s, as expressions have ints, where its schema declares integers. One beyond 2^53, which JSON does not hold exactly, and one with a
 * fraction, which the check of the schema refuses, stay doubles. Shares what it does not change.
 */
export function withIntegers(schema: unknown, value: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return value;
  const by = converterOf(schema);
  if (by === keep || typeof value !== "object" || value === null) return by(value);
  const known = converted.get(value);
  if (known?.by === by) return known.value;
  const made = by(value);
  converted.set(value, { by, value: made });
  return made;
}

function converterOf(schema: unknown): Convert {
  if (typeof schema !== "object" || schema === null) return keep;
  const known = converters.get(schema);
  if (known) return known;
  const made = makeConverter(schema as Schema);
  converters.set(schema, made);
  return made;
}

function makeConverter({ type, properties, items, additionalProperties }: Schema): Convert {
  const isType = (name: string): boolean => type === name || (Array.isArray(type) && type.includes(name));
  const toInt: Convert = isType("integer") && !isType("number") ? intOf : keep;
  const ofItem = converterOf(items);
  const ofMembers = membersConverter(properties, additionalProperties);
  if (toInt === keep && ofItem === keep && ofMembers === keep) return keep;
  return (value) => {
    if (typeof value === "number") return toInt(value);
    if (Array.isArray(value)) return ofItem === keep ? value : value.map(ofItem);
    return typeof value === "object" && value !== null ? ofMembers(value) : value;
  };
}

const intOf: Convert = (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value);

function membersConverter(properties: unknown, additionalProperties: unknown): Convert {
  const named = new Map(Object.entries((properties ?? {}) as Schema).map(([name, one]) => [name, converterOf(one)]));
  const others = converterOf(additionalProperties);
  if (others === keep && [...named.values()].every((one) => one === keep)) return keep;
  return (value) =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, one]) => [name, (named.get(name) ?? others)(one)] as const),
    );
}
