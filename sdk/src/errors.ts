import type { components } from "./generated/api.ts";
import type { ProblemCode } from "./generated/methods.ts";

/** A fault of an input: its place, the rule that it breaks, and what to do. */
export type Fault = components["schemas"]["Fault"];

/** What every error of this package is. */
export class AosError extends Error {
  override readonly name: string = "AosError";
}

/** The service could not be reached, or the connection broke off, also when it was tried again. `cause` says what happened. */
export class ConnectionError extends AosError {
  override readonly name = "ConnectionError";
}

/** The service had not answered in time, also when it was tried again. */
export class TimeoutError extends AosError {
  override readonly name = "TimeoutError";
}

/** A body that came as a webhook is none of the service's: its signature is wrong, missing or too old. Answer it with status 400 or 401, and do nothing. */
export class WebhookVerificationError extends AosError {
  override readonly name = "WebhookVerificationError";
}

/** What an `ApiProblem` is made of. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed where it is JSON. */
  readonly body: unknown;
  /** Method and path of the call. */
  readonly call: string;
}

/** The service answered with a problem (RFC 9457). Its subclasses go by status; `code` says which problem it is. */
export class ApiProblem extends AosError {
  override readonly name: string = "ApiProblem";
  /** The HTTP status. */
  readonly status: number;
  /** The kind of problem, for programs. `unknown` where something between here and the service answered. */
  readonly code: ProblemCode | "unknown" | (string & {});
  /** What was wrong with this call: the field, the rule, the remedy. */
  readonly detail: string;
  /** Every fault of the input at once. */
  readonly errors: readonly Fault[];
  /** The stage of the pipeline that refused; null where none did. */
  readonly stage: components["schemas"]["Problem"]["stage"] | null;
  /** By which the service logs the call. */
  readonly requestId: string | null;
  /** The audit record of the call. */
  readonly auditRef: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Seconds after which the service asks to come back; null where it says nothing. */
  readonly retryAfter: number | null;
  /** The whole problem, with the members that its kind adds. */
  readonly problem: Readonly<Record<string, unknown>>;
  readonly headers: Headers;

  constructor(refusal: Refusal) {
    const { status, headers, body, call } = refusal;
    const problem = isProblem(body) ? body : unknownProblem(refusal);
    const faults = problem.errors ?? [];
    const lines = faults.length > 1 ? faults.map(lineOf) : []; // one alone is what the detail says
    super([`${call} answered ${status} ${problem.code}: ${problem.detail}`, ...lines].join("\n"));
    this.status = status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.errors = faults;
    this.stage = problem.stage ?? null;
    this.requestId = headers.get("x-request-id");
    this.auditRef = headers.get("audit-ref");
    this.retryable = problem.retryable === true;
    this.retryAfter = secondsOf(headers.get("retry-after"));
    this.problem = problem;
    this.headers = headers;
  }
}

type Problem = Partial<components["schemas"]["Problem"]> & { readonly code: string; readonly detail: string };

const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" &&
  body !== null &&
  "code" in body &&
  "detail" in body &&
  typeof body.code === "string" &&
  typeof body.detail === "string";

/** What stands for an answer that the service did not write, such as the page of a proxy. Browsers give a redirection the status 0. */
function unknownProblem({ status, headers, body }: Refusal): Problem {
  const text = typeof body === "string" ? body.replaceAll(/\s+/g, " ").trim().slice(0, 200) : "";
  const place = headers.get("location");
  const leads = status === 0 || (status >= 300 && status < 400);
  const said = leads
    ? `it leads elsewhere${place === null ? "" : `, to ${place}`}; check the address of the service`
    : text;
  return { code: "unknown", detail: `the answer is none of the service's${said === "" ? "" : `: ${said}`}`, status };
}

const lineOf = ({ pointer, parameter, header, detail }: Fault): string =>
  `  ${pointer ?? parameter ?? header ?? "the input"}: ${detail}`;

/** `Retry-After` in seconds, also where it is a date (RFC 9110, 10.2.3). */
export function secondsOf(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}

/** 400: the call could not be read, or has a parameter or header that is not valid. */
export class BadRequest extends ApiProblem {
  override readonly name = "BadRequest";
}
/** 401: no key, or one that is unknown, expired or revoked. */
export class Unauthenticated extends ApiProblem {
  override readonly name = "Unauthenticated";
}
/** 403: the key may not, a policy forbids it, or a budget is used up. */
export class Forbidden extends ApiProblem {
  override readonly name = "Forbidden";
}
/** 404: there is no such thing in the environment of the key. */
export class NotFound extends ApiProblem {
  override readonly name = "NotFound";
}
/** 409: the state does not allow it. */
export class Conflict extends ApiProblem {
  override readonly name = "Conflict";
}
/** 412: it was changed since `ifMatch` was read; read it again. */
export class Stale extends ApiProblem {
  override readonly name = "Stale";
}
/** 422: read, but not valid; `errors` names every fault with its place. */
export class Invalid extends ApiProblem {
  override readonly name = "Invalid";
}
/** 429: too many calls, also after `retryAfter`. */
export class RateLimited extends ApiProblem {
  override readonly name = "RateLimited";
}
/** 500 and above: the service, or something that it needs, failed. */
export class ServerError extends ApiProblem {
  override readonly name = "ServerError";
}

const classes: Readonly<Record<number, new (refusal: Refusal) => ApiProblem>> = {
  400: BadRequest,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: Stale,
  422: Invalid,
  429: RateLimited,
};

/** The error for an answer that is a refusal. */
export function problemOf(refusal: Refusal): ApiProblem {
  const Kind = classes[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiProblem);
  return new Kind(refusal);
}
