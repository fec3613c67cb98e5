import { defineProblem } from "./errors.ts";

// The failures that any operation can meet. Those of one slice stand in its own files.

const again = { retryable: true } as const;
const final = { retryable: false } as const;
/** The service itself could not do its work; see `ProblemType`. */
const infrastructure = { retryable: true, infrastructure: true } as const;

export const malformedBody = defineProblem({
  code: "malformed_body",
  status: 400,
  title: "The body could not be parsed",
  ...final,
  cause: "The body is not UTF-8, is not valid JSON, is nested too deeply, or is shorter than its Content-Length.",
  remedy: "Fix the body at the position given in `detail`, then send it again.",
});
export const malformedRequest = defineProblem({
  code: "malformed_request",
  status: 400,
  title: "This is not a valid HTTP request",
  ...final,
  cause:
    "The request line, the headers or the framing of the body is not valid HTTP/1.1 (RFC 9112), the method is unknown, or the Host header is missing or repeated.",
  remedy: "Send the request with an HTTP client library; `detail` says what could not be parsed.",
});
export const invalidParameter = defineProblem({
  code: "invalid_parameter",
  status: 400,
  title: "A query parameter is invalid",
  ...final,
  cause: "A query parameter is unknown, repeated, or has a value that is not allowed.",
  remedy:
    "Use the names and values documented for this operation; for an unknown name, `errors` suggests the closest one.",
});
export const invalidCursor = defineProblem({
  code: "invalid_cursor",
  status: 400,
  title: "The cursor is invalid",
  ...final,
  cause: "The cursor was modified, belongs to another list, or was created with a different filter or sort order.",
  remedy: "Start again without a cursor, and keep the filter and sort order the same for all pages.",
});
export const invalidHeader = defineProblem({
  code: "invalid_header",
  status: 400,
  title: "A request header is invalid",
  ...final,
  cause: "The value of a header that this operation reads could not be parsed.",
  remedy: "Correct or remove the header named in `errors`.",
});
export const unauthenticated = defineProblem({
  code: "unauthenticated",
  status: 401,
  title: "No valid key or session",
  ...final,
  cause:
    "The Authorization header is missing or is not `Bearer <key>`, or the key is mistyped, unknown, expired or revoked. In the portal: the session or the sign-in link has expired.",
  remedy:
    "Send a valid key as `Authorization: Bearer <key>`. Create one with POST /v1/admin/keys or, on the host, with `aos keys create`. In the portal, sign in again.",
});
export const identityProviderFailed = defineProblem({
  code: "identity_provider_failed",
  status: 502,
  title: "Sign-in with the identity provider failed",
  ...again,
  cause: "The OpenID Connect provider could not be reached, or its response could not be verified.",
  remedy:
    "Try again in a moment. If it keeps failing, ask the operator to check the service's log and the AOS_OIDC_* settings.",
});
export const crossSiteRequest = defineProblem({
  code: "cross_site_request",
  status: 403,
  title: "The request did not come from the portal",
  ...final,
  cause:
    "A request with a portal session came from another origin, or changes something without the session's token in `X-CSRF-Token`. Sessions work only from the portal's own pages.",
  remedy:
    "In programs, send a key as `Authorization: Bearer <key>`. The portal sends the `csrf` value of GET /auth/session as `X-CSRF-Token` with every change.",
});
export const insufficientScope = defineProblem({
  code: "insufficient_scope",
  status: 403,
  title: "The key lacks a permission",
  ...final,
  cause: "The role or the scopes of the key do not include the permission that this operation requires.",
  remedy: "Use a key with the scope named in `missing_scope`; GET /v1/admin/whoami shows what a key may do.",
});
export const addressNotAllowed = defineProblem({
  code: "address_not_allowed",
  status: 403,
  title: "The key cannot be used from this address",
  ...final,
  cause: "The key is restricted to certain network addresses, and the request came from another one.",
  remedy: "Send the request from an allowed address, or have the key's allowed addresses changed.",
});
export const originNotAllowed = defineProblem({
  code: "origin_not_allowed",
  status: 403,
  title: "The chat token cannot be used on pages of this origin",
  ...final,
  cause: "A chat token names the origins of the pages that may use it, and the request came from another one.",
  remedy: "Name the page's origin in `origins` where your server asks for the token.",
});
export const policyBlocked = defineProblem({
  code: "policy_blocked",
  status: 403,
  title: "A policy denied this call",
  ...final,
  cause: "An active policy with effect `deny` applies to this call, or an active policy could not be evaluated.",
  remedy: "`detail` names the policy and its reason. Change the request, or contact the owner of the policy.",
});
export const budgetExhausted = defineProblem({
  code: "budget_exhausted",
  status: 403,
  title: "A budget does not allow this call",
  ...again,
  cause:
    "The most that this call could use does not fit under the hard limit of a budget that covers it: the limit is used up, calls in progress have reserved the rest (`budget.reserved`), or the call needs more than the whole limit.",
  remedy:
    "Retry after the seconds in Retry-After: a few seconds if calls in progress hold the rest, until the end of the window if it is used up. Without Retry-After, retrying does not help: have the limit raised.",
});
export const notFound = defineProblem({
  code: "not_found",
  status: 404,
  title: "Not found",
  ...final,
  cause: "The object does not exist in the environment of this key. Objects in other environments are not visible.",
  remedy: "Check the id or name, and the environment of the key.",
});
export const methodNotAllowed = defineProblem({
  code: "method_not_allowed",
  status: 405,
  title: "Method not allowed",
  ...final,
  cause: "The path exists, but not with this HTTP method.",
  remedy: "Use one of the methods in the Allow header.",
});
export const notAcceptable = defineProblem({
  code: "not_acceptable",
  status: 406,
  title: "No acceptable representation",
  ...final,
  cause: "The Accept header excludes every media type that this operation can return.",
  remedy: "Accept one of the media types listed in `detail`.",
});
export const requestTimedOut = defineProblem({
  code: "request_timeout",
  status: 408,
  title: "The request did not arrive in time",
  ...again,
  cause: "The request line, headers and body did not arrive within 30 seconds.",
  remedy: "Send the whole request again on a new connection.",
});
export const conflict = defineProblem({
  code: "wrong_state",
  status: 409,
  title: "Not possible in the current state",
  ...final,
  cause: "The object exists, but this operation is not possible in its current state.",
  remedy: "Read the object again; `detail` names its state and what is possible.",
});
export const twinRunning = defineProblem({
  code: "idempotency_key_in_use",
  status: 409,
  title: "A call with this Idempotency-Key is in progress",
  ...again,
  cause: "Another call with the same Idempotency-Key has not finished.",
  remedy: "Wait a moment and send the same call again; it then returns the response of the first call.",
});
export const gateFailed = defineProblem({
  code: "evaluation_gate_failed",
  status: 409,
  title: "The version failed its evaluation gate",
  ...final,
  cause: "The agent version failed its evaluation gate in this environment.",
  remedy: "Read the gate's verdict, improve the version and evaluate it again, or deploy an earlier version.",
});
export const killSwitchEngaged = defineProblem({
  code: "kill_switch_engaged",
  status: 409,
  title: "A kill switch is engaged",
  ...final,
  cause:
    "A kill switch stops what this call would start or continue; `kill_switch` names it, with its target, mode and reason.",
  remedy:
    "Wait until the kill switch is released, then send the call again. GET /v1/governance/kill-switch lists those in force.",
});
export const agentPaused = defineProblem({
  code: "agent_paused",
  status: 409,
  title: "The agent is paused",
  ...final,
  cause: "The agent is paused in this environment and accepts no tasks; `pause` says since when and why.",
  remedy: "Resume the agent or wait until it is resumed, then send the call again.",
});
export const taskPaused = defineProblem({
  code: "task_paused",
  status: 409,
  title: "The task is paused",
  ...final,
  cause: "People paused the task; nothing of it starts until somebody resumes it.",
  remedy: "Resume the task: POST /v1/tasks/{task}/resume.",
});
export const staleRevision = defineProblem({
  code: "stale_revision",
  status: 412,
  title: "It was changed meanwhile",
  ...final,
  cause: "If-Match names a revision that is no longer the current one.",
  remedy: "Read the object again, and apply your change to the current revision.",
});
export const bodyTooLarge = defineProblem({
  code: "body_too_large",
  status: 413,
  title: "The body is too large",
  ...final,
  cause:
    "The body has more bytes, an object in it more members, or the whole body more values than this operation reads. Reading stops at the first excess.",
  remedy:
    "Send less data per request; `detail` states the limit, and `errors` the place. The description of each operation with a body names its limits.",
});
export const uriTooLong = defineProblem({
  code: "uri_too_long",
  status: 414,
  title: "The URL is too long",
  ...final,
  cause: "The request line exceeds the limit for the request line and headers together.",
  remedy: "Shorten the query, or send the values in the body if the operation takes one; `detail` states the limit.",
});
export const unsupportedMediaType = defineProblem({
  code: "unsupported_media_type",
  status: 415,
  title: "The body's media type is not supported",
  ...final,
  cause:
    "The Content-Type is missing, is not supported by this operation, or has a charset other than UTF-8, or the body is compressed.",
  remedy: "Send `Content-Type: application/json` in UTF-8, without Content-Encoding.",
});
export const expectationFailed = defineProblem({
  code: "expectation_failed",
  status: 417,
  title: "The Expect header is not supported",
  ...final,
  cause: "The Expect header has a value other than 100-continue, the only one that HTTP defines.",
  remedy: "Remove the header.",
});
export const invalidBody = defineProblem({
  code: "invalid_body",
  status: 422,
  title: "The body is invalid",
  ...final,
  cause:
    "The body is JSON, but violates rules of the operation or of I-JSON (RFC 7493: no duplicate names, NUL characters, lone surrogates, or numbers outside the range of a double); `errors` lists every fault with its position.",
  remedy: "Correct everything listed in `errors`, then send the body again.",
});
export const idempotencyKeyReused = defineProblem({
  code: "idempotency_key_reused",
  status: 422,
  title: "The Idempotency-Key was used with another body",
  ...final,
  cause: "The same key was sent to the same path with a different body within the last 24 hours.",
  remedy: "Use a new key for a new request, or send the original body again.",
});
export const preconditionRequired = defineProblem({
  code: "precondition_required",
  status: 428,
  title: "If-Match is required",
  ...final,
  cause: "This operation changes an object that others may be changing at the same time.",
  remedy: "Read the object, and send its ETag as If-Match.",
});
export const rateLimited = defineProblem({
  code: "rate_limited",
  status: 429,
  title: "Too many requests",
  ...again,
  cause: "The key exceeded its request rate, or has too many calls, body bytes or streams in progress.",
  remedy:
    "Wait for the seconds in Retry-After. Send fewer calls at the same time, and close streams that you no longer read.",
});
export const headersTooLarge = defineProblem({
  code: "headers_too_large",
  status: 431,
  title: "The request headers are too large",
  ...final,
  cause: "The request headers together exceed the size limit.",
  remedy: "Send fewer or shorter headers; `detail` states the limit.",
});
export const internalError = defineProblem({
  code: "internal_error",
  status: 500,
  title: "Internal error",
  ...infrastructure,
  cause: "An unexpected error in the service. It was logged with the request id.",
  remedy: "Try again. If it happens again, report the request id.",
});
export const resultNotIntact = defineProblem({
  code: "result_not_intact",
  status: 500,
  title: "The stored result does not match its seal",
  cause:
    "The service seals the result of a task, a step or an evaluation run and commits to it in the audit log. The row in the database does not match its seal: it was changed there, or restored under another AOS_SECRET_KEY.",
  remedy:
    "Find out who can write to the database. Restore the row from a backup taken after the result was written; the proof of the record in `result_ref` shows which result is genuine. Without a backup, run the work again.",
  ...final,
});
export const auditUnavailable = defineProblem({
  code: "audit_unavailable",
  status: 503,
  title: "The audit record could not be written",
  ...infrastructure,
  cause:
    "The audit record could not be stored, or the connection was lost before that was confirmed. The effect and its record are committed together: either both exist or neither.",
  remedy:
    "Retry after the seconds in Retry-After. With an Idempotency-Key a retry is safe: if the call was carried out, its response is returned.",
});
export const overloaded = defineProblem({
  code: "overloaded",
  status: 503,
  title: "The service is temporarily unavailable",
  ...infrastructure,
  cause: "This process is starting, stopping or overloaded, or cannot confirm that its data is current.",
  remedy: "Retry after the seconds in Retry-After.",
});
export const databaseUnavailable = defineProblem({
  code: "database_unavailable",
  status: 503,
  title: "The database did not do its part",
  ...infrastructure,
  cause: "The database took too long, ended the connection, or was starting, stopping or out of space.",
  remedy:
    "Retry after the seconds in Retry-After. With an Idempotency-Key a retry is safe: if the call was carried out, its response is returned.",
});
export const proofNotReady = defineProblem({
  code: "proof_not_ready",
  status: 503,
  title: "The record is not in the log yet",
  ...infrastructure,
  cause: "The record is stored, but was not added to the log within two seconds.",
  remedy: "Try again in a moment.",
});
