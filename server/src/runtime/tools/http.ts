import { randomUUID } from "node:crypto";
import { type BodyFault, compileUserSchema, type JsonSchema, type UserSchemaResult } from "@aos/json-schema";
import { OutboundError } from "../../outbound/index.ts";
import { answered, notAnswered, notSent } from "./http-answer.ts";
import { ArgumentError, type FilledRequest, isObject } from "./http-body.ts";
import { fillRequest } from "./http-fill.ts";
import type { HttpCredentials, HttpTool, HttpToolCall, HttpToolResult, HttpToolSources } from "./http-types.ts";
import { OpenApiError } from "./openapi-error.ts";
import { findOperation, type HttpOperation, operationRequest } from "./openapi-operation.ts";

export type {
  HttpCredentials,
  HttpTool,
  HttpToolCall,
  HttpToolFailure,
  HttpToolRequest,
  HttpToolResult,
  HttpToolSources,
  OpenApiDescriptions,
} from "./http-types.ts";
export { createOpenApiDescriptions } from "./openapi-descriptions.ts";
export { OpenApiError } from "./openapi-error.ts";

/** Where a call stops by itself: milliseconds, bytes of the answer, and redirects of a reading request. */
export const HTTP_TOOL_LIMITS = { timeoutMs: 30_000, maxResponseBytes: 1_048_576, redirects: 5 } as const;

/** No arguments at all. */
const NOTHING: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** A tool whose request is known, whether it came from the tool itself or from a description. */
interface Ready {
  readonly schema: JsonSchema;
  fill(args: Readonly<Record<string, unknown>>): FilledRequest;
}

/**
 * JSON Schema (2020-12) of a tool's arguments, always an object's. A tool with `openapi` and without `arguments` takes it from the description, whose
 * reading may need the network; others need nothing. Throws {@link OpenApiError}, or the signal's reason.
 */
export async function httpToolSchema(tool: HttpTool, sources: HttpToolSources): Promise<JsonSchema> {
  return (await ready(tool, sources)).schema;
}

/**
 * Calls a tool: arguments are checked against its schema, put into the request, and sent with the credentials of its connection and, where the tool declares it, the
 * key of its effect. Follows redirects of reading tools by GET and HEAD only. Throws nothing: an aborted signal is `not_sent`, or `unknown_outcome` with the code `aborted`.
 */
export async function callHttpTool(tool: HttpTool, args: unknown, call: HttpToolCall): Promise<HttpToolResult> {
  const { credentials, outbound, signal, effect } = call;
  if (tool.effect === "write" && effect === null) throw new TypeError(`a write of ${tool.name} is in no journal`);
  const request = await prepared(tool, args, call);
  if ("kind" in request) return request;
  const strayed = credentials === null ? null : strayedCredentials(request.url, credentials);
  if (strayed !== null) return notSent("credentials_refused", strayed);
  try {
    const answer = await outbound.send({
      url: request.url,
      method: request.method,
      headers: {
        "user-agent": "agent-operations-service",
        accept: "application/json, text/*;q=0.9, */*;q=0.1",
        ...request.headers,
        ...(tool.idempotency === undefined
          ? {}
          : { [tool.idempotency.header.toLowerCase()]: effect?.key ?? randomUUID() }),
      },
      ...(credentials === null ? {} : { secretHeaders: credentials.headers }),
      ...(request.body === null ? {} : { body: request.body }),
      signal,
      timeoutMs: call.timeoutMs ?? HTTP_TOOL_LIMITS.timeoutMs,
      maxResponseBytes: HTTP_TOOL_LIMITS.maxResponseBytes,
      // A write is sent again by the run alone, which knows then that the first may have arrived.
      repeatable: tool.effect === "read",
      redirects: tool.effect === "read" ? HTTP_TOOL_LIMITS.redirects : 0,
    });
    return answered(tool.effect, answer, Object.values(credentials?.headers ?? {}));
  } catch (error) {
    if (error instanceof OutboundError) return notAnswered(tool.effect, error, request.url);
    throw error;
  }
}

/** The request of a call without what its connection adds, or why there is none. Sends nothing but what reading a description needs. */
export async function prepared(
  tool: HttpTool,
  args: unknown,
  call: HttpToolSources,
): Promise<FilledRequest | HttpToolResult> {
  try {
    const { schema, fill } = await ready(tool, call);
    const compiled = compiledOnce(schema);
    if (!compiled.ok)
      return notSent("tool_invalid", `the schema of \`${tool.name}\` cannot be used: ${listed(compiled.faults)}`);
    const faults = compiled.validate(args);
    if (!isObject(args)) return notSent("arguments_invalid", "the arguments must be an object");
    if (faults.length > 0) return notSent("arguments_invalid", `the arguments do not fit: ${listed(faults)}`);
    return fill(args);
  } catch (error) {
    if (error instanceof ArgumentError) return notSent("arguments_invalid", error.message);
    if (error instanceof OpenApiError)
      return { kind: "not_sent", failure: { code: error.code, detail: error.message }, retryable: error.retryable };
    if (call.signal.aborted) return notSent("aborted", "the call was broken off before it was made");
    throw error;
  }
}

async function ready(tool: HttpTool, { outbound, descriptions, signal }: HttpToolSources): Promise<Ready> {
  if (tool.request !== undefined) {
    const { request } = tool;
    return { schema: ofObject(tool.arguments), fill: (args) => fillRequest(request, args) };
  }
  if (tool.openapi === undefined)
    throw new OpenApiError(
      "tool_invalid",
      `\`${tool.name}\` has neither \`request\` nor \`openapi\`; add one of the two.`,
    );
  const { url, operation: id } = tool.openapi;
  const operation = findOperation(await descriptions.read(url, outbound, signal), url, id);
  checkEffect(tool, operation);
  return {
    schema: tool.arguments === undefined ? operation.schema : ofObject(tool.arguments),
    fill: (args) => operationRequest(operation, args),
  };
}

function checkEffect({ name, effect, markedReads = [] }: HttpTool, { id, method, base, path }: HttpOperation): void {
  const request = `${method} ${base}${path}`;
  if (
    effect !== "read" ||
    method === "GET" ||
    method === "HEAD" ||
    (method === "POST" && markedReads.includes(request))
  )
    return;
  const remedy = method === "POST" ? `, or have an admin add \`${request}\` to the setting \`tools.reads\`` : "";
  throw new OpenApiError(
    "wrong_effect",
    `\`${name}\` says that it reads, and \`${id}\` is a ${method}, which writes; set \`effect\` to \`write\`${remedy}.`,
  );
}

const objects = new WeakMap<object, JsonSchema>();

/** The schema as one of an object, as models want it; the same object for the same schema. */
function ofObject(schema: HttpTool["arguments"]): JsonSchema {
  if (schema === undefined) return NOTHING;
  const known = objects.get(schema) ?? (schema.type === undefined ? { type: "object", ...schema } : schema);
  objects.set(schema, known);
  return known;
}

/** Compiling takes milliseconds, so it is done once for each schema that is still in use. */
const validators = new WeakMap<JsonSchema, UserSchemaResult>();

function compiledOnce(schema: JsonSchema): UserSchemaResult {
  const known = validators.get(schema) ?? compileUserSchema(schema);
  validators.set(schema, known);
  return known;
}

const listed = (faults: readonly BodyFault[]): string =>
  faults
    .slice(0, 10)
    .map(({ pointer, detail }) => `${pointer === "" ? "they" : `\`${pointer.slice(1)}\``} ${detail}`)
    .join("; ");

/** Why the credentials of a connection may not go to an address; null: they may. */
function strayedCredentials(url: string, { origins }: HttpCredentials): string | null {
  const origin = URL.parse(url)?.origin;
  if (origin === undefined || origins.some((one) => URL.parse(one)?.origin === origin)) return null;
  return `the tool's connection is for ${origins.map((one) => `\`${one}\``).join(", ") || "no address"}, and the tool calls \`${origin}\`; correct the tool's address or its connection`;
}
