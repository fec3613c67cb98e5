import { escapeToken } from "@aos/strict-json";
import { hasAtMost, nearestName } from "@aos/text";
import type { ErrorObject } from "ajv";
import { LONGEST_TEXT } from "./linear-pattern.ts";

// Turns the compiler's errors into faults of ours: stable codes, one sentence with the rule and the remedy, never a value of the input.

/** A fault of a body: where it is, which rule it breaks, and what to do about it. */
export interface BodyFault {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

/** The name of one or several JSON types in a sentence: `a whole number`, `text or null`. */
export function typeName(type: string | readonly string[]): string {
  const names = (typeof type === "string" ? type.split(",") : type).map((name) => TYPE_NAMES[name] ?? name);
  return names.join(" or ");
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
  time: "a time such as 14:30:00Z",
  "date-time": "a time as RFC 3339 writes it, such as 2026-01-31T14:30:00Z",
  duration: "a duration as ISO 8601 writes it, such as PT15M",
  email: "an e-mail address",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  uri: "an absolute address such as https://example.com/path",
  uuid: "a UUID",
};

type Params = Readonly<Record<string, unknown>>;
type Rule = readonly [code: string, detail: (params: Params, error: ErrorObject) => string];

const count = (params: Params, one: string) => `${params.limit} ${one}${params.limit === 1 ? "" : "s"}`;
const listed = (values: readonly unknown[]) => {
  const shown = values
    .slice(0, 20)
    .map((value) => (typeof value === "string" ? `\`${value}\`` : JSON.stringify(value)));
  return shown.join(", ") + (values.length > shown.length ? ", …" : "");
};
const comparisons: Readonly<Record<string, string>> = {
  "<=": "at most",
  ">=": "at least",
  "<": "less than",
  ">": "more than",
};
const compared = (params: Params) => `must be ${comparisons[String(params.comparison)]} ${params.limit}`;
const unknownField = (name: unknown, error: ErrorObject) => {
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const nearest = nearestName(String(name), known);
  if (nearest !== null) return `is not known here; did you mean \`${nearest}\`?`;
  return known.length > 0
    ? `is not known here; leave it out. Known are ${listed(known)}`
    : "is not known here; leave it out";
};

/** Our stable word and our sentence for every keyword. Sentences continue the name of the field: "`/lead_id`: must be text". */
const RULES: Readonly<Record<string, Rule>> = {
  required: ["required", () => "is required; add it"],
  dependentRequired: ["required", (params) => `is required together with \`${params.property}\`; add it`],
  additionalProperties: ["unknown_field", (params, error) => unknownField(params.additionalProperty, error)],
  unevaluatedProperties: ["unknown_field", (params, error) => unknownField(params.unevaluatedProperty, error)],
  type: ["type", (params) => `must be ${typeName(params.type as string | string[])}`],
  enum: ["not_allowed", (params) => `must be one of ${listed(params.allowedValues as unknown[])}`],
  const: ["not_allowed", (params) => `must be ${listed([params.allowedValue])}`],
  pattern: ["pattern", (params, error) => patternDetail(String(params.pattern), error.data)],
  format: [
    "format",
    (params) => `must be ${FORMAT_NAMES[String(params.format)] ?? `of the format \`${params.format}\``}`,
  ],
  minLength: ["too_short", (params) => `must have at least ${count(params, "character")}`],
  maxLength: ["too_long", (params) => `must have at most ${count(params, "character")}`],
  minimum: ["too_small", compared],
  exclusiveMinimum: ["too_small", compared],
  maximum: ["too_large", compared],
  exclusiveMaximum: ["too_large", compared],
  multipleOf: ["not_a_multiple", (params) => `must be a multiple of ${params.multipleOf}`],
  minItems: ["too_few_items", (params) => `must have at least ${count(params, "item")}`],
  maxItems: ["too_many_items", (params) => `must have at most ${count(params, "item")}`],
  uniqueItems: [
    "duplicate_items",
    (params) => `must not hold an item twice; items ${params.j} and ${params.i} are equal`,
  ],
  contains: [
    "missing_item",
    (params) => `must hold at least ${params.minContains} item of the kind that the schema asks for`,
  ],
  minProperties: ["too_few_fields", (params) => `must have at least ${count(params, "field")}`],
  maxProperties: ["too_many_fields", (params) => `must have at most ${count(params, "field")}`],
  propertyNames: ["field_name", () => "has a field whose name is not allowed; see the schema for the form of names"],
  anyOf: ["no_variant", () => "fits none of the allowed forms; see the schema of this field"],
  oneOf: [
    "no_variant",
    (params) =>
      params.passingSchemas
        ? "fits several of the allowed forms; make it fit exactly one"
        : "fits none of the allowed forms; see the schema of this field",
  ],
  not: ["not_allowed", () => "has a form that the schema forbids"],
  if: ["condition", () => "does not fit the rule that applies in combination with its other fields"],
  "false schema": ["not_allowed", () => "is not allowed here; leave it out"],
};
const OTHER: Rule = ["invalid", (_params, error) => `is not valid (rule \`${error.keyword}\` of the schema)`];

function patternDetail(pattern: string, data: unknown): string {
  if (typeof data === "string" && !hasAtMost(LONGEST_TEXT, data))
    return `must match the pattern \`${pattern}\` and have at most ${LONGEST_TEXT} characters`;
  return `must match the pattern \`${pattern}\``;
}

/** Where a fault lies: at the missing or superfluous member itself, not at the object around it. */
function pointerTo(error: ErrorObject): string {
  const params = error.params as Params;
  const name = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return name === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(String(name))}`;
}

/** One fault of ours for one error of the compiler. */
export function faultOf(error: ErrorObject): BodyFault {
  const [code, detail] = RULES[error.keyword] ?? OTHER;
  return { pointer: pointerTo(error), code, detail: detail(error.params as Params, error) };
}

/** Errors that are looked at: of a hostile body there may be a hundred thousand. */
const MOST_SETTLED = 1_000;

/**
 * Unions report one error for themselves and those of every branch. What helps the caller is one of three: the faults of the one branch that was
 * meant (only it has the right type and the right constants), the list of allowed values when all branches are constants, or the plain fault of the union.
 */
export function settleUnions(all: readonly ErrorObject[]): ErrorObject[] {
  const settled: ErrorObject[] = [];
  for (const error of all.slice(0, MOST_SETTLED)) {
    const isUnion = error.keyword === "anyOf" || error.keyword === "oneOf";
    if (!isUnion || (error.params as Params).passingSchemas) settled.push(error);
    else {
      // The compiler reports the branches of a union just before the union itself.
      const from = settled.findLastIndex(({ instancePath }) => !instancePath.startsWith(error.instancePath)) + 1;
      settled.push(...settle(error, [...settled.splice(from), error]));
    }
  }
  return settled.filter(
    (error) =>
      error.keyword !== "if" ||
      !settled.some((other) => other !== error && other.instancePath.startsWith(error.instancePath)),
  );
}

function settle(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const branches = (union.schema as object[]).map((branch, index) =>
    errors.filter((error) => isWithin(error, union, branch, index)),
  );
  const replaceBy = (place: readonly ErrorObject[], kept: readonly ErrorObject[]) =>
    errors.flatMap((error) => (error === union ? place : kept.includes(error) || !inside.has(error) ? [error] : []));
  const inside = new Set(branches.flat());
  const constants = branches.map((branch) =>
    branch.find((error) => isChoice(error) && error.instancePath === union.instancePath),
  );
  if (constants.every((error) => error !== undefined)) {
    const allowedValues = constants.flatMap(
      (error) =>
        (error.params as { allowedValues?: unknown[] }).allowedValues ?? [(error.params as Params).allowedValue],
    );
    return replaceBy([{ ...union, keyword: "enum", params: { allowedValues } }], []);
  }
  const meant = branches.filter((branch) => branch.length > 0 && !branch.some((error) => excludes(error, union)));
  return meant.length === 1 ? replaceBy([], meant[0]!) : replaceBy([union], []);
}

function isWithin(error: ErrorObject, union: ErrorObject, branch: object, index: number): boolean {
  if (error === union || !error.instancePath.startsWith(union.instancePath)) return false;
  const reference = (branch as { $ref?: string }).$ref;
  return (
    error.schemaPath.startsWith(`${union.schemaPath}/${index}/`) ||
    (reference !== undefined && error.schemaPath.startsWith(`${reference}/`))
  );
}

const isChoice = (error: ErrorObject) => error.keyword === "const" || error.keyword === "enum";

/** Whether an error shows that its branch was not meant: another type, or another constant in the value or in one of its own members. */
function excludes(error: ErrorObject, union: ErrorObject): boolean {
  const below = error.instancePath.slice(union.instancePath.length);
  return (error.keyword === "type" && below === "") || (error.keyword === "const" && below.lastIndexOf("/") <= 0);
}
