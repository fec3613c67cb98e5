import { namesCredential } from "@aos/data-classes";
import type { BodyFault } from "@aos/json-schema";
import { escapeToken, pointerOf } from "@aos/strict-json";
import { fillTemplate, readTemplate } from "../../../../kernel/template.ts";
import type { HttpRequestDefinition, HttpToolDefinition, McpToolDefinition, ToolDefinition } from "../schemas.ts";
import { fault, type Loose, propertiesOf, textsOf, unknownName } from "./faults.ts";

const SECRET =
  "would carry a credential, and a definition holds no secret; leave it out and name a connection in `connection`";
/** A token of RFC 9110 section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible characters, spaces and tabs (RFC 9110 section 5.5), within Latin-1. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the HTTP client sets itself. */
const CLIENT_HEADERS = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i;

/** Rules that no schema can express. */
export function toolFaults(tool: Loose<ToolDefinition>, pointer: string, knowledge: readonly string[]): BodyFault[] {
  if (tool.kind === "record") return tool.base === undefined ? [] : baseFaults(tool.base, `${pointer}/base`, knowledge);
  if (tool.kind === "search") {
    const noKnowledge = "searches the agent's knowledge, and there is none; list bases in `knowledge`";
    if (!tool.bases && knowledge.length === 0) return [fault(`${pointer}/kind`, "unknown_base", noKnowledge)];
    return (tool.bases ?? []).flatMap((base, index) => baseFaults(base, `${pointer}/bases/${index}`, knowledge));
  }
  if (tool.kind === "http") return httpFaults(tool, pointer);
  return tool.kind === "mcp" ? mcpFaults(tool, pointer) : [];
}

function baseFaults(base: string, pointer: string, knowledge: readonly string[]): BodyFault[] {
  if (knowledge.includes(base)) return [];
  return [fault(pointer, "unknown_base", unknownName("names none of the agent's `knowledge`", base, knowledge))];
}

function mcpFaults(tool: Loose<McpToolDefinition>, pointer: string): BodyFault[] {
  const faults = tool.server === undefined ? [] : addressFaults(tool.server, `${pointer}/server`);
  const key = tool.idempotency?.argument;
  const known = propertiesOf(tool.arguments);
  if (key !== undefined && tool.arguments !== undefined && !known.includes(key)) {
    const detail = unknownName("names none of the tool's `arguments`", key, known);
    faults.push(fault(`${pointer}/idempotency/argument`, "unknown_argument", detail));
  }
  return faults;
}

function httpFaults(tool: Loose<HttpToolDefinition>, pointer: string): BodyFault[] {
  const { request, openapi, idempotency } = tool;
  const faults: BodyFault[] = [];
  if (request && openapi)
    faults.push(fault(`${pointer}/openapi`, "not_allowed", "stands beside `request`; give one of the two"));
  if (openapi) faults.push(...addressFaults(openapi.url, `${pointer}/openapi/url`));
  if (request) faults.push(...requestFaults(tool, request, `${pointer}/request`));
  if (request && tool.effect === "read" && ["PUT", "PATCH", "DELETE"].includes(request.method)) {
    const detail = `must be \`write\`: ${request.method} changes what it is sent to`;
    faults.push(fault(`${pointer}/effect`, "wrong_effect", detail));
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
      faults.push(fault(at, "format", "must be one line of characters that a header can carry"));
    if (/^\s*(?:bearer|basic)\s/i.test(value) && !namesCredential(name))
      faults.push(fault(at, "secret_refused", SECRET));
  }
  for (const name of Object.keys(request.query ?? {}))
    if (namesCredential(name)) faults.push(fault(`${pointer}/query/${escapeToken(name)}`, "secret_refused", SECRET));
  if (request.body !== undefined && (request.method === "GET" || request.method === "HEAD")) {
    const detail = `is not allowed: ${request.method} has no body; use \`query\`, or another method`;
    faults.push(fault(`${pointer}/body`, "not_allowed", detail));
  }
  return [...faults, ...placeholderFaults(request, pointer, propertiesOf(tool.arguments))];
}

function headerNameFaults(name: string, pointer: string): BodyFault[] {
  if (!HEADER_NAME.test(name))
    return [fault(pointer, "field_name", "is not a header name: use letters, digits and `-`, without spaces")];
  if (namesCredential(name)) return [fault(pointer, "secret_refused", SECRET)];
  return CLIENT_HEADERS.test(name) ? [fault(pointer, "not_allowed", "is set by the service; leave it out")] : [];
}

/** Every text of the request is a template; a placeholder that is no argument could never be filled. */
function placeholderFaults(
  { url, query, headers, body }: HttpRequestDefinition,
  pointer: string,
  known: readonly string[],
): BodyFault[] {
  return [...textsOf({ url, query, headers, body }, [])].flatMap(([text, at]) => {
    const { names, broken } = readTemplate(text);
    const place = pointer + pointerOf(at);
    const brace = "holds a single brace; write an argument as `{name}`, and a brace itself twice";
    const unknown = names
      .filter((name) => !known.includes(name))
      .map((name) => {
        const problem = `takes \`{${name}}\`, which is no property of the tool's \`arguments\``;
        return fault(place, "unknown_argument", unknownName(problem, name, known));
      });
    return broken ? [fault(place, "template", brace), ...unknown] : unknown;
  });
}

/** Faults of an address that the service will call. Private targets are refused when the connection is made. */
export function addressFaults(address: string, pointer: string): BodyFault[] {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return [fault(pointer, "format", "must be an absolute address such as https://example.com/path")];
  const secret = url.username !== "" || url.password !== "" || [...url.searchParams.keys()].some(namesCredential);
  return secret ? [fault(pointer, "secret_refused", SECRET)] : [];
}

function templateAddressFaults(template: string, pointer: string): BodyFault[] {
  const filled = fillTemplate(template, () => "x");
  // By what it comes to: `https:/{host}` and `https:///{host}` name a host as well.
  const [one, other] = [filled, fillTemplate(template, () => "y")].map((address) => URL.parse(address)?.host);
  const host = /^[^:/?#]*:\/\/[^/?#]*/.exec(template)?.[0] ?? template.split(/[/?#]/)[0]!;
  if (one !== other || readTemplate(host).names.length > 0)
    return [fault(pointer, "template", "takes an argument in its host; arguments may stand in path and query only")];
  return addressFaults(filled, pointer);
}
