import { hash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import {
  type JsonFault,
  type JsonFaults,
  readerModule,
  readStrictJson,
  type StrictJsonLimits,
  type StrictJsonResult,
} from "@aos/strict-json";
import { shortened } from "@aos/text";
import type { FastifyRequest } from "fastify";
import { type BodyBounds, bodyLimit, depthLimit, ordinaryBounds } from "../kernel/body-bounds.ts";
import { isChatToken } from "../kernel/chat-token.ts";
import { type Refusal, refuse } from "../kernel/errors.ts";
import { bodyTooLarge, invalidBody, malformedBody, unsupportedMediaType } from "../kernel/problems.ts";
import { inThread, LARGE_BODY } from "../kernel/threads.ts";
import { inTurn } from "../kernel/turns.ts";
import type { BodyReaders, Call, Credential, FormReader } from "../pipeline/call.ts";
import { type ArrivingForm, arrivingForm, formType } from "./form-body.ts";
import { IncomingMessage } from "./node-http.ts";
import { OpenCalls } from "./open-calls.ts";
import type { SessionCookie } from "./session-cookie.ts";

export interface Arrival {
  /** Template of the route that matched, in the form `/v1/tasks/:id`; null where none did. */
  readonly route: string | null;
  /** Throws what reading the body comes to, where that is known before. */
  readonly readBody?: () => never;
  /** Where the answer goes: when it closes, the caller has gone. */
  readonly response?: ServerResponse;
  /** Where the portal's sessions are looked for, if no key was sent. */
  readonly cookie?: SessionCookie;
}

/** What a server holds of its calls. A call that comes without a server is watched by nobody. */
const unwatched = new OpenCalls();

/** Turns an HTTP request into a call. Nothing is decided here: what is wrong with the body is said when the pipeline gets to it. */
export function callOf(
  request: FastifyRequest,
  requestId: string,
  { route, readBody, response, cookie }: Arrival = { route: null },
  open: OpenCalls = unwatched,
): Call {
  const { headers, url } = request;
  const cut = url.indexOf("?");
  const path = cut < 0 ? url : url.slice(0, cut);
  const params = request.params as Record<string, string>;
  const bytes = Buffer.isBuffer(request.body) ? request.body : null;
  const form = isForm(request) ? arrivingForm(request.raw) : null;
  let digest: string | null | undefined;
  const bodyDigest = (): string | null => {
    if (form) return form.digest();
    digest ??= bytes && bytes.length > 0 ? hash("sha256", bytes, "hex") : null;
    return digest;
  };
  return {
    requestId,
    credential: credentialOf(request, cookie),
    address: request.ip.startsWith("::ffff:") ? request.ip.slice(7) : request.ip,
    params,
    query: cut < 0 ? "" : url.slice(cut + 1),
    readBody:
      readBody ??
      ((readers, receives, bounds = ordinaryBounds) =>
        form && receives ? formOf(form, headers, receives, bounds) : bodyOf(bytes, headers, bounds, readers, receives)),
    ...(form && { end: () => form.end() }),
    // Of a file that is still arriving as much as is in memory: so a caller has a few of them at a time.
    bodyLength: form ? bodyLimit : (bytes?.length ?? 0),
    bodyDigest,
    idempotencyKey: single(headers["idempotency-key"]),
    ifMatch: headers["if-match"] ?? null,
    ifNoneMatch: headers["if-none-match"] ?? null,
    accept: headers.accept ?? null,
    prefer: single(headers.prefer),
    lastEventId: single(headers["last-event-id"]),
    signal: () => open.signalOf(response),
    batch: null,
    target: `${request.method} ${route === null ? path : canonicalPath(route, params)}`,
  };
}

/** Whether the body is left to whoever reads it, as `routeForms` of the router has it. */
const isForm = ({ body }: FastifyRequest): boolean => body instanceof IncomingMessage;

function formOf(
  form: ArrivingForm,
  headers: IncomingHttpHeaders,
  receives: FormReader,
  bounds: BodyBounds,
): Promise<object> {
  refuseEncoded(headers["content-encoding"]);
  return form.read(receives, limitsOf(bounds));
}

const limitsOf = (bounds: BodyBounds): StrictJsonLimits => ({ depth: depthLimit, ...bounds });

/** One spelling for every way to percent-encode a path (RFC 3986 section 6.2.2): an Idempotency-Key is bound to it. */
function canonicalPath(route: string, params: Readonly<Record<string, string>>): string {
  return route.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""));
}

const single = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? header.join(", ") : (header ?? null);

/** A key wins over a session: who sends one means it. */
function credentialOf(request: FastifyRequest, cookie: SessionCookie | undefined): Credential {
  const { authorization } = request.headers;
  if (authorization === undefined) return cookie?.read(request) ?? { kind: "none" };
  const match = /^Bearer +([!-~]+) *$/i.exec(authorization);
  if (!match) return { kind: "none" };
  const secret = match[1] as string;
  return isChatToken(secret) ? { kind: "chat_token", secret, origin: originOf(request) } : { kind: "bearer", secret };
}

/** The origin of the page that asks. Browsers leave it out of reads from the service's own origin, and say so. */
function originOf({ headers, protocol, host }: FastifyRequest): string | null {
  if (headers.origin !== undefined) return headers.origin;
  return headers["sec-fetch-site"] === "same-origin" ? `${protocol}://${host}` : null;
}

/** An absent body is an empty object: what an operation requires of it is its schema's to say. */
function bodyOf(
  bytes: Buffer | null,
  headers: IncomingHttpHeaders,
  bounds: BodyBounds,
  readers?: BodyReaders,
  receives?: FormReader,
): unknown {
  if (bytes === null || bytes.length === 0) return {};
  const others = [...Object.keys(readers ?? {}), ...(receives ? [formType] : [])];
  const type = checkContentType(headers["content-type"], others);
  refuseEncoded(headers["content-encoding"]);
  const reader = readers?.[type];
  if (reader) return reader(bytes);
  const limits = limitsOf(bounds);
  return bytes.length > LARGE_BODY ? largeBody(bytes, limits) : soundValue(readStrictJson(bytes, limits));
}

function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || /^\s*(identity)?\s*$/i.test(contentEncoding)) return;
  // RFC 9110 section 15.5.16: Accept-Encoding says that it is the coding that was not taken.
  throw refuse(unsupportedMediaType, "The body must not be compressed: send it without Content-Encoding.", {
    headers: { "Accept-Encoding": "identity" },
  });
}

/** Large bodies that arrive together are not parsed one after another while everyone else waits. */
const turn = inTurn();

/** A thread finds what is wrong with a large body. Its value is parsed here: to have it copied from there would take longer. */
async function largeBody(bytes: Buffer, limits: StrictJsonLimits): Promise<unknown> {
  const faults = await inThread<JsonFaults | null>(readerModule, "strictJsonFaults", { bytes, limits });
  await turn();
  return faults === null ? (JSON.parse(bytes.toString("utf8")) as unknown) : soundValue(faults);
}

function soundValue(read: StrictJsonResult): unknown {
  if (read.ok) return read.value;
  const { fault, faults } = read;
  if (fault.status !== 422)
    throw refuse(fault.status === 413 ? bodyTooLarge : malformedBody, placed(fault), { errors: [errorOf(fault)] });
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw refuse(invalidBody, placed(fault) + more, { errors: faults.map(errorOf) });
}

const placed = ({ line, column, detail, pointer, status }: JsonFault): string =>
  `Line ${line}, column ${column}${status === 413 ? ` (${shortened(pointer, 200) || "the body itself"})` : ""}: ${detail}`;
const errorOf = ({ pointer, code, detail }: JsonFault) => ({ pointer, code, detail });

const jsonType = "application/json";

/** The media type of a body that the operation reads, as JSON or as one of `others`. */
function checkContentType(contentType: string | undefined, others: readonly string[]): string {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== jsonType && !others.includes(type))
    throw unsupportedType(type === "" ? "there is no media type in Content-Type" : `not ${type}`, others);
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset !== undefined && !/^("?)utf-?8\1$/.test(charset))
    throw unsupportedType(`not in the charset ${charset}`, others);
  return type;
}

/** The refusal for a body of a media type that is not read, or not in UTF-8; `why` ends its sentence. `others`: what is read besides JSON. */
export function unsupportedType(why: string, others: readonly string[]): Refusal {
  const types = [jsonType, ...others];
  return refuse(unsupportedMediaType, `The body must be ${types.join(" or ")} in UTF-8; ${why}.`, {
    headers: { Accept: types.join(", ") },
  });
}

/** The refusal for a body that is longer than an operation reads. */
export function tooLarge(limit: number): Refusal {
  return refuse(bodyTooLarge, `The body may have ${limit} bytes.`, { members: { limit_bytes: limit } });
}

/** The refusal for a body that broke off, or that is not as long as its Content-Length says. */
export function unreadable(): Refusal {
  return refuse(
    malformedBody,
    "The body did not arrive as announced. Send all of it, with the length that Content-Length says.",
  );
}
