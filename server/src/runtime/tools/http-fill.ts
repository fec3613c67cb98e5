import { fillTemplate, onlyPlace, readTemplate } from "../../kernel/template.ts";
import { ArgumentError, checkedSegment, encodedBody, type FilledRequest, isObject, scalarText } from "./http-body.ts";
import type { HttpToolRequest } from "./http-types.ts";

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The request of a tool with its arguments put in. Where a text is one place only, an argument that is not given, or null, leaves the whole parameter, header or member
 * out; elsewhere it must be given. Arguments are data: none of them can change the host, the shape of the path, another parameter or another member. Throws ArgumentError.
 */
export function fillRequest(
  { method, url, query = {}, headers = {}, body }: HttpToolRequest,
  args: Arguments,
): FilledRequest {
  const filledHeaders: Record<string, string> = {};
  for (const [name, text] of Object.entries(headers)) {
    const value = filledText(text, args);
    if (value !== undefined) filledHeaders[name.toLowerCase()] = value;
  }
  const value = body === undefined ? undefined : filledBody(body, args);
  if (value !== undefined) filledHeaders["content-type"] ??= "application/json";
  return {
    method,
    url: filledUrl(url, query, args),
    headers: filledHeaders,
    body: value === undefined ? null : encodedBody(value, filledHeaders["content-type"]!),
  };
}

const given = (args: Arguments, name: string): unknown =>
  Object.hasOwn(args, name) ? (args[name] ?? undefined) : undefined;

function needed(args: Arguments, name: string): unknown {
  const value = given(args, name);
  if (value === undefined) throw new ArgumentError(`\`${name}\` is needed and not given; add it`);
  return value;
}

/** A text of an address or header; undefined: it is the place of an argument that is not given. */
function filledText(text: string, args: Arguments): string | undefined {
  const only = onlyPlace(text);
  if (only !== null && given(args, only) === undefined) return undefined;
  return fillTemplate(text, (name) => scalarText(name, needed(args, name)));
}

function filledUrl(template: string, query: Readonly<Record<string, string>>, args: Arguments): string {
  const [whole = ""] = template.split("#");
  const origin = /^[^:/?#]*:\/\/[^/?#]*/.exec(whole)?.[0] ?? "";
  if (readTemplate(origin).names.length > 0)
    throw new ArgumentError("the tool's address takes an argument in its host; correct the tool");
  const rest = whole.slice(origin.length);
  const at = rest.indexOf("?");
  const path = at < 0 ? rest : rest.slice(0, at);
  const pairs = [
    ...(at < 0 ? [] : pairsOf(rest.slice(at + 1), args)),
    ...Object.entries(query).flatMap(([name, text]) => parameter(name, text, args)),
  ];
  const segments = path.split("/").map((segment) => filledSegment(segment, args));
  return fillTemplate(origin, String) + segments.join("/") + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
}

function filledSegment(segment: string, args: Arguments): string {
  const { names } = readTemplate(segment);
  const filled = fillTemplate(segment, (name) => encodeURIComponent(scalarText(name, needed(args, name))));
  return names.length > 0 ? checkedSegment(filled, names[0]!) : filled;
}

/** The parameters that the address itself has, filled. */
function pairsOf(query: string, args: Arguments): string[] {
  return query.split("&").flatMap((pair) => {
    const only = onlyPlace(pair.slice(pair.indexOf("=") + 1));
    if (only !== null && pair.includes("=") && given(args, only) === undefined) return [];
    return [fillTemplate(pair, (name) => encodeURIComponent(scalarText(name, needed(args, name))))];
  });
}

/** A parameter; of a list each item is one. */
function parameter(name: string, text: string, args: Arguments): string[] {
  const only = onlyPlace(text);
  const value = only === null ? undefined : given(args, only);
  const texts = Array.isArray(value) ? value.map((item) => scalarText(only!, item)) : [filledText(text, args)];
  return texts.flatMap((one) => (one === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(one)}`]));
}

/** A body, or a part of it; undefined: it is the place of an argument that is not given. */
function filledBody(part: unknown, args: Arguments): unknown {
  if (typeof part === "string") {
    const only = onlyPlace(part);
    if (only !== null) return Object.hasOwn(args, only) ? args[only] : undefined;
    return fillTemplate(part, (name) => bodyText(name, needed(args, name)));
  }
  if (Array.isArray(part)) return part.map((item) => filledBody(item, args)).filter((item) => item !== undefined);
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part)
      .map(([name, item]) => [name, filledBody(item, args)] as const)
      .filter(([, item]) => item !== undefined),
  );
}

/** An argument amid other text of the body; lists and objects as JSON. */
const bodyText = (name: string, value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : scalarText(name, value);
