/** An argument that a request cannot take. The message continues "the call was not made: ". */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** A request as it goes out, without credentials. */
export interface FilledRequest {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: string | null;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a media type is JSON: `application/json`, or one that ends in `+json` (RFC 6839). Parameters do not matter. */
export const isJsonType = (type: string): boolean => /^\s*(?:application\/json|[^;\s]+\+json)\s*(?:;|$)/i.test(type);
const isFormType = (type: string): boolean => /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);

/** A value as the text that stands for it in an address or a header. Throws ArgumentError for lists and objects, which have none there. */
export function scalarText(name: string, value: unknown): string {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new ArgumentError(`\`${name}\` holds half of a character; give whole text`);
    return value;
  }
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  throw new ArgumentError(`\`${name}\` must be text, a number, true or false there`);
}

/**
 * A segment of a path that holds arguments. Throws ArgumentError for one that would change where the path leads: an empty one means the collection instead of one of its
 * members, dots mean the folder above, in every spelling that `URL` understands.
 */
export function checkedSegment(segment: string, name: string): string {
  if (/^(?:\.|%2e){0,2}$/i.test(segment))
    throw new ArgumentError(`\`${name}\` must not be empty, \`.\` or \`..\`: it is part of the address's path`);
  return segment;
}

/** A body in the media type of the request. Throws ArgumentError where the value has no form in that type. */
export function encodedBody(value: unknown, type: string): string {
  if (isJsonType(type)) return JSON.stringify(value);
  if (isFormType(type)) return encodedForm(value);
  if (typeof value === "string") return value;
  throw new ArgumentError(`the body must be text: it is sent as \`${type}\``);
}

function encodedForm(value: unknown): string {
  if (!isObject(value)) throw new ArgumentError("the body must be an object: it is sent as a form");
  const form = new URLSearchParams();
  for (const [name, item] of Object.entries(value)) {
    for (const one of Array.isArray(item) ? item : [item])
      if (one !== null && one !== undefined) form.append(name, scalarText(name, one));
  }
  return form.toString();
}
