import type { BodyFault } from "@aos/json-schema";
import { escapeToken, pointerOf } from "@aos/strict-json";
import { nearestName } from "@aos/text";
import { fillTemplate, readTemplate } from "../../../kernel/template.ts";
import type { HttpRequestDefinition, HttpToolDefinition, McpToolDefinition, ToolDefinition } from "../definition.ts";
import { isObject, type Loose } from "./check-shape.ts";
import { namesCredential } from "./secrets.ts";

const SECRET =
  "would carry a credential, and a definition holds no secret; leave it out and name a connection in `connection`";
/** A token of RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters, spaces and tabs (RFC 9110 section 5.5), within Latin-1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Set by whoever makes the request. */
const OWN_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
]);

/** The sentence about a name that is not among the known ones; `problem` says of what it is none. */
export function unknownName(problem: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== null) return `${problem}; did you mean \`${nearest}\`?`;
  const listed = known.slice(0, 20).map((one) => `\`${one}\``);
  return listed.length > 0 ? `${problem}; there are ${listed.join(", ")}` : `${problem}; there are none`;
}

/** What a tool breaks of the rules that no schema says. */
export function toolFaults(tool: Loose<ToolDefinition>, pointer: string, knowledge: readonly string[]): BodyFault[] {
  if (tool.kind === "record")
    return tool.base === undefined ? [] : baseFaults([[`${pointer}/base`, tool.base]], knowledge);
  if (tool.kind === "search") {
    if (tool.bases === undefined && knowledge.length === 0) {
      return [
        {
          pointer: `${pointer}/kind`,
          code: "unknown_base",
          detail: "searches the agent's knowledge, and there is none; list bases in `knowledge`",
        },
      ];
    }
    return baseFaults(
      (tool.bases ?? []).map((base, index) => [`${pointer}/bases/${index}`, base] as const),
      knowledge,
    );
  }
  if (tool.kind === "http") return httpFaults(tool, pointer);
  if (tool.kind === "mcp") return mcpFaults(tool, pointer);
  return [];
}

function mcpFaults(tool: Loose<McpToolDefinition>, pointer: string): BodyFault[] {
  const key = tool.idempotency?.argument;
  const unknownKey = key !== undefined && tool.arguments !== undefined && !propertiesOf(tool.arguments).includes(key);
  return [
    ...(tool.server === undefined ? [] : addressFaults(tool.server, `${pointer}/server`)),
    ...(unknownKey
      ? [
          {
            pointer: `${pointer}/idempotency/argument`,
            code: "unknown_argument",
            detail: unknownName("names none of the tool's `arguments`", key, propertiesOf(tool.arguments)),
          },
        ]
      : []),
  ];
}

function baseFaults(
  bases: readonly (readonly [pointer: string, name: string])[],
  knowledge: readonly string[],
): BodyFault[] {
  return bases.flatMap(([pointer, name]) =>
    knowledge.includes(name)
      ? []
      : [
          {
            pointer,
            code: "unknown_base",
            detail: unknownName("names none of the agent's `knowledge`", name, knowledge),
          },
        ],
  );
}

/** The names that a JSON Schema gives properties. */
export function propertiesOf(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function httpFaults(tool: Loose<HttpToolDefinition>, pointer: string): BodyFault[] {
  const { request, openapi, idempotency } = tool;
  const faults: BodyFault[] = [];
  if (request && openapi)
    faults.push({
      pointer: `${pointer}/openapi`,
      code: "not_allowed",
      detail: "stands beside `request`; give one of the two",
    });
  if (openapi) faults.push(...addressFaults(openapi.url, `${pointer}/openapi/url`));
  if (request) faults.push(...requestFaults(tool, request, `${pointer}/request`));
  if (request && tool.effect === "read" && ["PUT", "PATCH", "DELETE"].includes(request.method)) {
    faults.push({
      pointer: `${pointer}/effect`,
      code: "wrong_effect",
      detail: `must be \`write\`: ${request.method} changes what it is sent to`,
    });
  }
  if (idempotency) faults.push(...headerNameFaults(idempotency.header, `${pointer}/idempotency/header`));
  return faults;
}

function requestFaults(tool: Loose<HttpToolDefinition>, request: HttpRequestDefinition, pointer: string): BodyFault[] {
  const faults = [...templateAddressFaults(request.url, `${pointer}/url`)];
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const at = `${pointer}/headers/${escapeToken(name)}`;
    faults.push(...headerNameFaults(name, at));
    if (!HEADER_VALUE.test(value))
      faults.push({ pointer: at, code: "format", detail: "must be one line of characters that a header can carry" });
    if (/^\s*(?:bearer|basic)\s/i.test(value) && !namesCredential(name))
      faults.push({ pointer: at, code: "secret_refused", detail: SECRET });
  }
  for (const name of Object.keys(request.query ?? {})) {
    if (namesCredential(name))
      faults.push({ pointer: `${pointer}/query/${escapeToken(name)}`, code: "secret_refused", detail: SECRET });
  }
  if (request.body !== undefined && (request.method === "GET" || request.method === "HEAD")) {
    faults.push({
      pointer: `${pointer}/body`,
      code: "not_allowed",
      detail: `is not allowed: ${request.method} has no body; use \`query\`, or another method`,
    });
  }
  return [...faults, ...placeholderFaults(request, pointer, propertiesOf(tool.arguments))];
}

function headerNameFaults(name: string, pointer: string): BodyFault[] {
  if (!HEADER_NAME.test(name))
    return [{ pointer, code: "field_name", detail: "is no name of a header: letters, digits and `-`, without spaces" }];
  if (namesCredential(name)) return [{ pointer, code: "secret_refused", detail: SECRET }];
  if (OWN_HEADERS.has(name.toLowerCase()))
    return [{ pointer, code: "not_allowed", detail: "is set by the service; leave it out" }];
  return [];
}

/** Every text of the request is a template; what it takes must be an argument, or the call could never be made. */
function placeholderFaults(request: HttpRequestDefinition, pointer: string, known: readonly string[]): BodyFault[] {
  const faults: BodyFault[] = [];
  for (const [text, at] of textsOf(
    { url: request.url, query: request.query, headers: request.headers, body: request.body },
    [],
  )) {
    const { names, broken } = readTemplate(text);
    const place = pointer + pointerOf(at);
    if (broken)
      faults.push({
        pointer: place,
        code: "template",
        detail: "holds a single brace; write an argument as `{name}`, and a brace itself twice",
      });
    for (const name of names) {
      if (known.includes(name)) continue;
      const problem = `takes \`{${name}}\`, which is no property of the tool's \`arguments\``;
      faults.push({ pointer: place, code: "unknown_argument", detail: unknownName(problem, name, known) });
    }
  }
  return faults;
}

/** All texts in a value, with their places; names of members are not among them. */
export function* textsOf(
  value: unknown,
  at: readonly (string | number)[],
): Generator<[string, readonly (string | number)[]]> {
  if (typeof value === "string") yield [value, at];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsOf(item, [...at, index]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* textsOf(item, [...at, name]);
}

/** What is wrong with an address that the service would call. That it leads to nothing private is checked at each connection. */
export function addressFaults(address: string, pointer: string): BodyFault[] {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return [{ pointer, code: "format", detail: "must be an absolute address such as https://example.com/path" }];
  }
  if (url.username !== "" || url.password !== "") return [{ pointer, code: "secret_refused", detail: SECRET }];
  return [...url.searchParams.keys()].some(namesCredential)
    ? [{ pointer, code: "secret_refused", detail: SECRET }]
    : [];
}

function templateAddressFaults(template: string, pointer: string): BodyFault[] {
  const host = /^[^:/?#]*:\/\/[^/?#]*/.exec(template)?.[0] ?? template.split(/[/?#]/)[0]!;
  if (readTemplate(host).names.length > 0) {
    return [
      {
        pointer,
        code: "template",
        detail: "takes an argument in its host; arguments may stand in path and query only",
      },
    ];
  }
  return addressFaults(
    fillTemplate(template, () => "x"),
    pointer,
  );
}
