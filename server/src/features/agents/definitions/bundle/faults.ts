import type { BodyFault } from "@aos/json-schema";
import { nearestName } from "@aos/text";

export const fault = (pointer: string, code: string, detail: string): BodyFault => ({ pointer, code, detail });

/** A part of which only some fields are known to have the right shape. */
export type Loose<T> = T extends unknown ? { readonly [Name in keyof T]?: T[Name] | undefined } : never;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function propertiesOf(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

/** Adds to a problem with a name the nearest known name, or a list of the known ones. */
export function unknownName(problem: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== null) return `${problem}; did you mean \`${nearest}\`?`;
  const listed = known.slice(0, 20).map((one) => `\`${one}\``);
  return listed.length > 0 ? `${problem}; there are ${listed.join(", ")}` : `${problem}; there are none`;
}

type Tokens = readonly (string | number)[];

/** All texts in a value with their places; names of members are not included. */
export function* textsOf(value: unknown, at: Tokens): Generator<[string, Tokens]> {
  if (typeof value === "string") yield [value, at];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsOf(item, [...at, index]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* textsOf(item, [...at, name]);
}
