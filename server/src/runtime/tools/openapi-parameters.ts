import { ArgumentError, isJsonType, isObject, scalarText } from "./http-body.ts";
import { OpenApiError } from "./openapi-error.ts";

/** Where an argument of an operation goes, and how it is written there (OpenAPI 3.1, section 4.8.12). */
export interface Place {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /** Its name as an argument. */
  readonly argument: string;
  readonly required: boolean;
  readonly schema: unknown;
  /** What it is, for the model; empty: nothing is said. */
  readonly words: string;
  readonly style: "simple" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  readonly explode: boolean;
}

const STYLES: Readonly<Record<Place["in"], readonly string[]>> = {
  path: ["simple"],
  header: ["simple"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
};
/** Headers that OpenAPI leaves to content types and security (section 4.8.12.1). */
const NOT_PARAMETERS = new Set(["accept", "content-type", "authorization"]);

/** Reads a parameter object; null for one that is not given by callers. Throws OpenApiError for one that must be given and cannot be written. */
export function parameterOf(parameter: unknown, operation: string): Place | null {
  if (!isObject(parameter) || typeof parameter.name !== "string" || typeof parameter.in !== "string")
    throw new OpenApiError("openapi_invalid", `\`${operation}\` has a parameter without name and place.`);
  const { name } = parameter;
  const where = parameter.in as Place["in"];
  if (where === "header" && NOT_PARAMETERS.has(name.toLowerCase())) return null;
  const required = where === "path" || parameter.required === true;
  const content = isObject(parameter.content) ? Object.entries(parameter.content)[0] : undefined;
  const style = content !== undefined && isJsonType(content[0]) ? "json" : (parameter.style ?? STYLES[where]?.[0]);
  const isKnown = style === "json" ? where !== "path" : STYLES[where]?.includes(String(style));
  if (!isKnown) {
    if (!required) return null;
    throw new OpenApiError(
      "openapi_unsupported",
      `\`${operation}\` needs its parameter \`${name}\` in a way that is not made (${parameter.in}, ${String(style)}).`,
    );
  }
  return {
    name,
    in: where,
    argument: name,
    required,
    schema: content === undefined ? parameter.schema : (content[1] as { readonly schema?: unknown } | null)?.schema,
    words: typeof parameter.description === "string" ? parameter.description.slice(0, 300) : "",
    style: style as Place["style"],
    explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form",
  };
}

/** A list is its items, an object its members; anything else is itself. */
const partsOf = ({ argument }: Place, value: unknown): string[] =>
  Array.isArray(value)
    ? value.map((item) => scalarText(argument, item))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => [name, scalarText(argument, item)])
      : [scalarText(argument, value)];

/** `simple`: `a,b` and `name,value`, or `name=value` where exploded. */
export function simpleText(place: Place, value: unknown): string {
  if (place.style === "json") return JSON.stringify(value);
  if (isObject(value) && place.explode) return namedParts(place, value).join(",");
  return partsOf(place, value).join(",");
}

const namedParts = ({ argument }: Place, value: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(value).map(([name, item]) => `${name}=${scalarText(argument, item)}`);

/** `simple` in a path: the parts encoded, so that none of them is a path of its own. */
export function pathText(place: Place, value: unknown): string {
  if (isObject(value) && place.explode)
    return Object.entries(value)
      .map(([name, item]) => `${encodeURIComponent(name)}=${encodeURIComponent(scalarText(place.argument, item))}`)
      .join(",");
  return partsOf(place, value).map(encodeURIComponent).join(",");
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ",", spaceDelimited: "%20", pipeDelimited: "%7C" };

/** The pairs of a query, encoded: none for null. */
export function queryPairs(place: Place, value: unknown): string[] {
  const { name, argument, style, explode } = place;
  if (value === null) return [];
  const pair = (key: string, text: string): string => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  if (style === "json") return [pair(name, JSON.stringify(value))];
  if (style === "deepObject") {
    if (!isObject(value)) throw new ArgumentError(`\`${argument}\` must be an object`);
    return Object.entries(value).map(([member, item]) => pair(`${name}[${member}]`, scalarText(argument, item)));
  }
  if (explode && Array.isArray(value)) return value.map((item) => pair(name, scalarText(argument, item)));
  if (explode && isObject(value))
    return Object.entries(value).map(([member, item]) => pair(member, scalarText(argument, item)));
  return [
    `${encodeURIComponent(name)}=${partsOf(place, value)
      .map(encodeURIComponent)
      .join(SEPARATORS[style] ?? ",")}`,
  ];
}
