import { escapeToken } from "@aos/strict-json";
import { BundleFault, type BundleFaultCode, type BundlePart, quoted } from "./faults.ts";

/** Where a value stands, and which fault it is if it does not fit. */
export interface Spot {
  readonly code: BundleFaultCode;
  readonly part: BundlePart;
  readonly at: string;
}

/**
 * Returns the value if it has the shape, throws a BundleFault with its place otherwise. Objects come back with their
 * fields in the declared order.
 */
export type Shape<T> = (value: unknown, spot: Spot) => T;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Values<F> = { readonly [K in keyof F]: F[K] extends Shape<infer T> ? T : never };

export function misfit({ code, part, at }: Spot, what: string): BundleFault {
  return new BundleFault(code, { part, at }, what);
}

const inside = (spot: Spot, name: string | number): Spot => ({
  ...spot,
  at: `${spot.at}/${escapeToken(String(name))}`,
});
const named = ({ at }: Spot): string => (at === "" ? "The value" : `The value at ${quoted(at)}`);

function plainObject(value: unknown, spot: Spot): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw misfit(spot, `${named(spot)} is not an object.`);
  return value as Record<string, unknown>;
}

/** An object with these fields and no others. */
export function object<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Shape<Values<R> & Partial<Values<O>>> {
  const fields: Fields = { ...required, ...optional };
  return (value, spot) => {
    const given = plainObject(value, spot);
    const strange = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
    if (strange !== undefined) throw misfit(inside(spot, strange), `The field ${quoted(strange)} is unknown.`);
    const read: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(fields)) {
      if (Object.hasOwn(given, name)) read[name] = shape(given[name], inside(spot, name));
      else if (Object.hasOwn(required, name)) throw misfit(spot, `The field ${quoted(name)} is missing.`);
    }
    return read as Values<R> & Partial<Values<O>>;
  };
}

/** An object whose names are data. */
export function record<T>(shape: Shape<T>, most: number): Shape<ReadonlyMap<string, T>> {
  return (value, spot) => {
    const entries = Object.entries(plainObject(value, spot));
    if (entries.length > most)
      throw misfit(spot, `${named(spot)} has ${entries.length} members; at most ${most} may be.`);
    return new Map(entries.map(([name, item]) => [name, shape(item, inside(spot, name))]));
  };
}

export function list<T>(shape: Shape<T>, { least = 0, most }: { least?: number; most: number }): Shape<readonly T[]> {
  return (value, spot) => {
    if (!Array.isArray(value)) throw misfit(spot, `${named(spot)} is not a list.`);
    if (value.length < least || value.length > most)
      throw misfit(spot, `${named(spot)} has ${value.length} elements; it needs ${least} to ${most}.`);
    return Array.from(value, (item: unknown, index) => shape(item, inside(spot, index)));
  };
}

/** A text of at most `most` UTF-16 units that matches; `form` says in words how it must look. */
export function text(most: number, pattern?: RegExp, form = "the required form"): Shape<string> {
  return (value, spot) => {
    if (typeof value !== "string") throw misfit(spot, `${named(spot)} is not a text.`);
    if (value.length > most)
      throw misfit(spot, `${named(spot)} has ${value.length} characters; at most ${most} may be.`);
    if (pattern && !pattern.test(value)) throw misfit(spot, `${named(spot)}, ${quoted(value)}, does not have ${form}.`);
    return value;
  };
}

/** A name by which people trust: one line without control or invisible characters. */
export const plainName = (most: number): Shape<string> =>
  text(most, /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]+(?<!\s)$/u, "the form of a plain name");

/**
 * A text for people: not blank, no control characters but line breaks and tabs. Hidden text in it is for the scan to
 * find.
 */
export const prose = (most: number): Shape<string> =>
  text(most, /^(?=\s*\S)(?:[^\p{Cc}\p{Cs}]|[\n\t])+$/u, "the form of a text without control characters");

export function literal<T extends string>(...allowed: readonly T[]): Shape<T> {
  return (value, spot) => {
    const found = allowed.find((item) => item === value);
    if (found === undefined) throw misfit(spot, `${named(spot)} is not ${allowed.map(quoted).join(" or ")}.`);
    return found;
  };
}

export const count: Shape<number> = (value, spot) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw misfit(spot, `${named(spot)} is not a whole number of at least 0.`);
  return value as number;
};

/** Any object; what is in it is the matter of whoever made it. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = plainObject;

export const nullable =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, spot) =>
    value === null ? null : shape(value, spot);
