import { type Html, html, words } from "./html.ts";
import { type DocsModel, isObject, type Json } from "./model.ts";

type Resolve = DocsModel["resolve"];

/** Bounds that hold for every value (openapi: bounds) tell nobody anything. */
const general: Readonly<Record<string, readonly unknown[]>> = {
  maxLength: [1024 * 1024, 40],
  maxItems: [1024 * 1024],
  pattern: ["^[^\\u0000]*$"],
  minimum: [Number.MIN_SAFE_INTEGER],
  maximum: [Number.MAX_SAFE_INTEGER],
};

const formats: Readonly<Record<string, string>> = {
  "date-time": "time (RFC 3339)",
  date: "date (RFC 3339)",
  uri: "address (URI)",
  email: "e-mail address",
};
const plain: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "null",
  object: "object",
};

const alternatives = (schema: Json): readonly unknown[] | undefined =>
  (schema.anyOf ?? schema.oneOf) as readonly unknown[] | undefined;

/** The type of a value in a few words: `list of text`, `time (RFC 3339) or null`. */
export function typeWords(given: unknown, resolve: Resolve): string {
  const schema = resolve(given);
  const choices = alternatives(schema);
  if (choices) return [...new Set(choices.map((one) => typeWords(one, resolve)))].join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [String(schema.type ?? "any value")];
  return types.map((type) => typeWord(type, schema, resolve)).join(" or ");
}

function typeWord(type: string, schema: Json, resolve: Resolve): string {
  if (type === "array") return schema.items === undefined ? "list" : `list of ${typeWords(schema.items, resolve)}`;
  if (type === "object" && isObject(schema.additionalProperties) && schema.properties === undefined)
    return `object of ${typeWords(schema.additionalProperties, resolve)} by name`;
  return (type === "string" && formats[String(schema.format)]) || (plain[type] ?? type);
}

/** What bounds a value besides its type. */
function bounds(given: unknown, resolve: Resolve): Html[] {
  const schema = resolve(given);
  const said = (name: string): unknown => (general[name]?.includes(schema[name]) ? undefined : schema[name]);
  const range = (low: unknown, high: unknown, what: string): Html | false => {
    if (low === undefined && high === undefined) return false;
    if (low === undefined) return html`at most ${String(high)}${what}`;
    return high === undefined ? html`at least ${String(low)}${what}` : html`${String(low)} to ${String(high)}${what}`;
  };
  const values = Array.isArray(schema.enum) ? schema.enum : undefined;
  return [
    values !== undefined && html`one of ${values.map((value) => html`<code>${String(value)}</code> `)}`,
    range(said("minimum"), said("maximum"), ""),
    range(said("minLength"), said("maxLength"), " characters"),
    range(said("minItems"), said("maxItems"), " items"),
    typeof said("pattern") === "string" && html`matches <code>${String(schema.pattern)}</code>`,
    schema.default !== undefined && html`default <code>${JSON.stringify(schema.default)}</code>`,
    ...(isObject(schema.items) ? bounds(schema.items, resolve) : []),
  ].filter((one) => one !== false);
}

/** One named value: a parameter or a member, with its type, its bounds, its description and what it holds. */
export function entry(
  name: string,
  given: unknown,
  resolve: Resolve,
  options: { required?: boolean; description?: unknown; above?: readonly unknown[] } = {},
): Html {
  const schema = resolve(given);
  const description = options.description ?? (given as Json).description ?? schema.description;
  const limits = bounds(given, resolve);
  return html`<li><p class="entry"><code class="name">${name}</code> <span class="type">${typeWords(given, resolve)}</span>${
    options.required === true && html` <span class="required">required</span>`
  }</p>${typeof description === "string" && html`<p>${words(description)}</p>`}${
    limits.length > 0 && html`<p class="bounds">${limits.map((one, at) => html`${at > 0 && " · "}${one}`)}</p>`
  }${inside(given, resolve, options.above ?? [])}</li>`;
}

/** The members of what a value holds, folded. A schema inside itself is not unfolded again. */
function inside(given: unknown, resolve: Resolve, above: readonly unknown[]): Html | false {
  const shapes = shapesOf(given, resolve).filter((shape) => !above.includes(shape));
  if (shapes.length === 0) return false;
  const forms = shapes.length > 1;
  return html`<details><summary>${forms ? `${shapes.length} forms` : membersWords(shapes[0] as Json)}</summary>${shapes.map(
    (shape, at) => html`${forms && html`<p class="form">Form ${at + 1}</p>`}${members(shape, resolve, above)}`,
  )}</details>`;
}

const membersWords = ({ properties }: Json): string => {
  const count = Object.keys((properties ?? {}) as Json).length;
  return count === 1 ? "1 member" : `${count} members`;
};

/** The objects with named members that a value is or holds. */
function shapesOf(given: unknown, resolve: Resolve): Json[] {
  const schema = resolve(given);
  const choices = alternatives(schema);
  if (choices) return choices.flatMap((one) => shapesOf(one, resolve));
  if (isObject(schema.items)) return shapesOf(schema.items, resolve);
  if (isObject(schema.properties)) return Object.keys(schema.properties).length > 0 ? [schema] : [];
  return isObject(schema.additionalProperties) ? shapesOf(schema.additionalProperties, resolve) : [];
}

function members(shape: Json, resolve: Resolve, above: readonly unknown[] = []): Html {
  const required = Array.isArray(shape.required) ? shape.required : [];
  const entries = Object.entries(shape.properties as Record<string, unknown>);
  return html`<ul class="entries">${entries.map(([name, one]) =>
    entry(name, one, resolve, { required: required.includes(name), above: [...above, shape] }),
  )}</ul>`;
}

/** The members of a body. Where it can have several forms, each of them; where it has no named members, its type. */
export function bodyView(given: unknown, resolve: Resolve): Html {
  const shapes = shapesOf(given, resolve);
  if (shapes.length === 0) return html`<p class="type">${typeWords(given, resolve)}</p>`;
  return html`${shapes.map((shape, at) => html`${shapes.length > 1 && html`<p class="form">Form ${at + 1}</p>`}${members(shape, resolve)}`)}`;
}
