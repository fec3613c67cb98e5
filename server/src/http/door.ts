import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type Refusal, refuse } from "../kernel/errors.ts";
import { bodyTooLarge, invalidBody, malformedBody, unsupportedMediaType } from "../kernel/problems.ts";
import type { Call, Credential } from "../pipeline/call.ts";
import { type JsonFault, readStrictJson } from "./strict-json.ts";

/** The largest JSON body and the deepest nesting that are read. */
export const bodyLimit = 1024 * 1024;
export const depthLimit = 32;

export interface Arrival {
  /** Template of the route that matched, in the form `/v1/tasks/:id`; null where none did. */
  readonly route: string | null;
  /** Throws what reading the body comes to, where that is known before. */
  readonly readBody?: () => never;
}

/** Turns an HTTP request into a call. Nothing is decided here: what is wrong with the body is said when the pipeline gets to it. */
export function callOf(request: FastifyRequest, requestId: string, { route, readBody }: Arrival = { route: null }): Call {
  const { headers, url } = request;
  const cut = url.indexOf("?");
  const path = cut < 0 ? url : url.slice(0, cut);
  const params = request.params as Record<string, string>;
  const bytes = Buffer.isBuffer(request.body) ? request.body : null;
  let digest: string | null | undefined;
  const bodyDigest = (): string | null => {
    digest ??= bytes && bytes.length > 0 ? hash("sha256", bytes, "hex") : null;
    return digest;
  };
  return {
    requestId,
    credential: credentialOf(headers.authorization),
    address: request.ip.startsWith("::ffff:") ? request.ip.slice(7) : request.ip,
    params,
    query: cut < 0 ? "" : url.slice(cut + 1),
    readBody: readBody ?? (() => bodyOf(bytes, headers["content-type"], headers["content-encoding"])),
    bodyDigest,
    idempotencyKey: single(headers["idempotency-key"]),
    ifMatch: headers["if-match"] ?? null,
    ifNoneMatch: headers["if-none-match"] ?? null,
    target: `${request.method} ${route === null ? path : canonicalPath(route, params)}`,
  };
}

/** One spelling for every way to percent-encode a path (RFC 3986 section 6.2.2): an Idempotency-Key is bound to it. */
function canonicalPath(route: string, params: Readonly<Record<string, string>>): string {
  return route.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""));
}

const single = (header: string | string[] | undefined): string | null => (Array.isArray(header) ? header.join(", ") : (header ?? null));

function credentialOf(authorization: string | undefined): Credential {
  if (authorization === undefined) return { kind: "none" };
  const match = /^Bearer +([!-~]+) *$/i.exec(authorization);
  return match ? { kind: "bearer", secret: match[1] as string } : { kind: "none" };
}

/** An absent body is an empty object: what an operation requires of it is its schema's to say. */
function bodyOf(bytes: Buffer | null, contentType: string | undefined, contentEncoding: string | undefined): unknown {
  if (bytes === null || bytes.length === 0) return {};
  checkContentType(contentType);
  if (contentEncoding !== undefined && !/^\s*(identity)?\s*$/i.test(contentEncoding)) {
    // RFC 9110 section 15.5.16: Accept-Encoding says that it is the coding that was not taken.
    throw refuse(unsupportedMediaType, "The body must not be compressed: send it without Content-Encoding.", {
      headers: { "Accept-Encoding": "identity" },
    });
  }
  const read = readStrictJson(bytes, { depth: depthLimit });
  if (read.ok) return read.value;
  const { fault, faults } = read;
  if (fault.status === 400) throw refuse(malformedBody, placed(fault), { errors: [errorOf(fault)] });
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw refuse(invalidBody, placed(fault) + more, { errors: faults.map(errorOf) });
}

const placed = ({ line, column, detail }: JsonFault): string => `Line ${line}, column ${column}: ${detail}`;
const errorOf = ({ pointer, code, detail }: JsonFault) => ({ pointer, code, detail });

function checkContentType(contentType: string | undefined): void {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== "application/json") throw unsupportedType(type === "" ? "there is no media type in Content-Type" : `not ${type}`);
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset !== undefined && !/^("?)utf-?8\1$/.test(charset)) throw unsupportedType(`not in the charset ${charset}`);
}

/** The refusal for a body of another media type than JSON in UTF-8; `why` ends its sentence. */
export function unsupportedType(why: string): Refusal {
  return refuse(unsupportedMediaType, `The body must be application/json in UTF-8; ${why}.`, { headers: { Accept: "application/json" } });
}

/** The refusal for a body that is longer than an operation reads. */
export function tooLarge(limit: number): Refusal {
  return refuse(bodyTooLarge, `The body may have ${limit} bytes.`, { members: { limit_bytes: limit } });
}

/** The refusal for a body that broke off, or that is not as long as its Content-Length says. */
export function unreadable(): Refusal {
  return refuse(malformedBody, "The body did not arrive as announced. Send all of it, with the length that Content-Length says.");
}
