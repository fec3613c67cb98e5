import { defineProblem } from "./errors.ts";

// The failures that any operation can meet. Those of one slice stand in its own files.

const again = { retryable: true } as const;
const final = { retryable: false } as const;

export const malformedBody = defineProblem({
  code: "malformed_body",
  status: 400,
  title: "The body cannot be read",
  ...final,
  cause:
    "The body could not be read: it is not UTF-8, its JSON syntax is broken, it nests deeper than the limit, or it ended before its announced length.",
  remedy: "Correct the text at the place that the error names.",
});
export const malformedRequest = defineProblem({
  code: "malformed_request",
  status: 400,
  title: "This is not a valid HTTP request",
  ...final,
  cause:
    "The request line, the headers or the framing of the body break the grammar of HTTP/1.1 (RFC 9112), the method is unknown, or the Host header is missing or given twice.",
  remedy: "Send the request with an HTTP client; the error says what could not be read.",
});
export const invalidParameter = defineProblem({
  code: "invalid_parameter",
  status: 400,
  title: "A query parameter is not valid",
  ...final,
  cause: "A query parameter is unknown, given twice, or its value breaks its rule.",
  remedy: "Use the names and values listed for this operation; the error names the nearest valid one.",
});
export const invalidCursor = defineProblem({
  code: "invalid_cursor",
  status: 400,
  title: "The cursor is not valid",
  ...final,
  cause: "The cursor was changed, belongs to another list, or was made for another filter or sort order.",
  remedy: "Start again without a cursor, and keep filter and sort unchanged while paging.",
});
export const invalidHeader = defineProblem({
  code: "invalid_header",
  status: 400,
  title: "A request header is not valid",
  ...final,
  cause: "A header that this operation reads has a value that cannot be understood.",
  remedy: "Correct or leave out the header that the error names.",
});
export const unauthenticated = defineProblem({
  code: "unauthenticated",
  status: 401,
  title: "No valid key or session was sent",
  ...final,
  cause:
    "The Authorization header is missing or not of the form `Bearer <key>`, or the key is mistyped, unknown, expired or revoked. In the portal: the session or the sign-in link has ended.",
  remedy:
    "Send a valid key as `Authorization: Bearer <key>`. A new one comes from POST /v1/admin/keys or, on the host, `aos keys create`. In the portal, sign in again.",
});
export const identityProviderFailed = defineProblem({
  code: "identity_provider_failed",
  status: 502,
  title: "The identity provider did not prove who you are",
  ...again,
  cause:
    "The OpenID Connect provider that signs people in here cannot be reached, or answered something that does not verify.",
  remedy:
    "Try again in a moment. Where it stays so, the operator finds the reason in the service's log; AOS_OIDC_* are the settings.",
});
export const crossSiteRequest = defineProblem({
  code: "cross_site_request",
  status: 403,
  title: "The request does not come from the portal",
  ...final,
  cause:
    "A call by a session of the portal came from a page of another origin, or changes something without the session's own token in `X-CSRF-Token`. A session serves the portal's own pages and nothing else.",
  remedy:
    "Programs send a key as `Authorization: Bearer <key>`. The portal sends the `csrf` of GET /auth/session as `X-CSRF-Token` with every change.",
});
export const insufficientScope = defineProblem({
  code: "insufficient_scope",
  status: 403,
  title: "The key may not do this",
  ...final,
  cause: "The role or the scopes of the key do not include the permission that this operation asks for.",
  remedy: "Use a key with the named scope; GET /v1/admin/whoami shows what a key may do.",
});
export const addressNotAllowed = defineProblem({
  code: "address_not_allowed",
  status: 403,
  title: "The key may not be used from this address",
  ...final,
  cause: "The key is restricted to network addresses, and the call came from another one.",
  remedy: "Call from an allowed address, or have the key's addresses changed.",
});
export const policyBlocked = defineProblem({
  code: "policy_blocked",
  status: 403,
  title: "A policy forbids this call",
  ...final,
  cause: "An active policy with effect `deny` applies to this call, or an active policy could not be evaluated.",
  remedy:
    "The error names the policy, its reason and its message; change the request or talk to the owner of the policy.",
});
export const budgetExhausted = defineProblem({
  code: "budget_exhausted",
  status: 403,
  title: "A budget has no room for this call",
  ...again,
  cause:
    "What the call would use at most does not fit into a budget that covers it, under its hard limit: too much is used, or calls under way hold what is " +
    "left (`budget.reserved`), or the call needs more than the whole limit.",
  remedy:
    "Repeat the call when Retry-After says: in a few seconds where calls under way hold what is left, at the end of the window where it is used up. Without " +
    "Retry-After nothing comes back: have the budget's limit raised.",
});
export const notFound = defineProblem({
  code: "not_found",
  status: 404,
  title: "Not found",
  ...final,
  cause:
    "There is no such thing in the environment of this key. What belongs to another environment is not visible either.",
  remedy: "Check the id or name and the environment of the key.",
});
export const methodNotAllowed = defineProblem({
  code: "method_not_allowed",
  status: 405,
  title: "This address does not take that method",
  ...final,
  cause: "The path exists, but not with this HTTP method.",
  remedy: "Use one of the methods in the Allow header.",
});
export const notAcceptable = defineProblem({
  code: "not_acceptable",
  status: 406,
  title: "No representation that the Accept header allows",
  ...final,
  cause: "The Accept header excludes every media type that this operation can answer with.",
  remedy: "Accept one of the media types that the error names.",
});
export const requestTimedOut = defineProblem({
  code: "request_timeout",
  status: 408,
  title: "The request did not arrive in time",
  ...again,
  cause: "The request line, the headers or the body stopped arriving: all of a request has 30 seconds.",
  remedy: "Send the whole request at once, on a new connection.",
});
export const conflict = defineProblem({
  code: "wrong_state",
  status: 409,
  title: "The state does not allow this",
  ...final,
  cause: "The thing exists but is in a state in which this operation has no meaning.",
  remedy: "Read it again; the error names its state and what would be possible.",
});
export const twinRunning = defineProblem({
  code: "idempotent_twin_running",
  status: 409,
  title: "The same call is still running",
  ...again,
  cause: "Another call with the same Idempotency-Key has not finished.",
  remedy: "Wait a moment and send the same call again: it then answers what the first one answered.",
});
export const gateFailed = defineProblem({
  code: "evaluation_gate_failed",
  status: 409,
  title: "The evaluation gate is closed",
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
    "People stopped what this call would start or go on with; `stop` names the kill switch, its target, its mode and its reason.",
  remedy:
    "Wait until the kill switch is released, and then send the call again; GET /v1/governance/kill-switch lists those in force.",
});
export const agentPaused = defineProblem({
  code: "agent_paused",
  status: 409,
  title: "The agent is paused",
  ...final,
  cause: "The agent takes no work in this environment at present; `pause` says since when and why.",
  remedy: "Resume the agent, or wait until somebody does, and then send the call again.",
});
export const staleRevision = defineProblem({
  code: "stale_revision",
  status: 412,
  title: "It was changed in between",
  ...final,
  cause: "If-Match names a revision that is no longer the current one.",
  remedy: "Read it again and repeat the change on the current revision.",
});
export const bodyTooLarge = defineProblem({
  code: "body_too_large",
  status: 413,
  title: "The body is too large",
  ...final,
  cause: "The body is longer than the limit of this operation.",
  remedy: "Send less at once; the error names the limit.",
});
export const uriTooLong = defineProblem({
  code: "uri_too_long",
  status: 414,
  title: "The address is too long",
  ...final,
  cause: "The request line is longer than the limit of the request line and the headers together.",
  remedy:
    "Shorten the query, or send what it says in the body where the operation takes one; the error names the limit.",
});
export const unsupportedMediaType = defineProblem({
  code: "unsupported_media_type",
  status: 415,
  title: "The body's media type is not supported",
  ...final,
  cause:
    "The Content-Type is missing, not one that this operation reads or in another charset than UTF-8, or the body is compressed.",
  remedy: "Send `Content-Type: application/json` in UTF-8, without Content-Encoding.",
});
export const expectationFailed = defineProblem({
  code: "expectation_failed",
  status: 417,
  title: "The Expect header is not supported",
  ...final,
  cause: "The Expect header asks for something else than 100-continue, the only expectation that HTTP knows.",
  remedy: "Leave the header out.",
});
export const invalidBody = defineProblem({
  code: "invalid_body",
  status: 422,
  title: "The body is not valid",
  ...final,
  cause:
    "The body is JSON, but breaks rules of the operation or of I-JSON (RFC 7493: a name given twice, a NUL, a lone surrogate, a number that no double can hold); `errors` lists them with their places.",
  remedy: "Correct all listed places and send again.",
});
export const idempotencyKeyReused = defineProblem({
  code: "idempotency_key_reused",
  status: 422,
  title: "The Idempotency-Key was used for another body",
  ...final,
  cause: "Within 24 hours the same key was sent with another body to the same address.",
  remedy: "Use a new key for a new request, or send the same body again.",
});
export const preconditionRequired = defineProblem({
  code: "precondition_required",
  status: 428,
  title: "If-Match is required",
  ...final,
  cause: "This operation changes something that others may be changing too.",
  remedy: "Read it, and send its ETag as If-Match.",
});
export const rateLimited = defineProblem({
  code: "rate_limited",
  status: 429,
  title: "Too many requests",
  ...again,
  cause:
    "The key made more requests than its rate allows, has as many calls (or bytes of their bodies) in flight as one caller may, or reads as many streams at the same time.",
  remedy:
    "Wait for the seconds in Retry-After; send fewer calls at the same time, and close streams that are no longer read.",
});
export const headersTooLarge = defineProblem({
  code: "headers_too_large",
  status: 431,
  title: "The request headers are too large",
  ...final,
  cause: "The headers together are longer than the limit.",
  remedy: "Send fewer or shorter headers; the error names the limit.",
});
export const internalError = defineProblem({
  code: "internal_error",
  status: 500,
  title: "The service failed",
  ...again,
  cause: "A fault of the service. It has been logged under the request id.",
  remedy: "Try again; if it stays, report the request id.",
});
export const resultNotIntact = defineProblem({
  code: "result_not_intact",
  status: 500,
  title: "The result is not what was recorded",
  cause:
    "What a task ended with, a step answered or a run of an evaluation scored is sealed by the service and committed to in the audit log. What stands in the database does not fit its seal: " +
    "it was changed there, or restored under another AOS_SECRET_KEY.",
  remedy:
    "Find out who can write to the database. Restore the row from a backup that was taken after it ended; the proof of the record in `result_ref` shows which result is the true one. " +
    "Without a backup, have the work done again.",
  ...final,
});
export const auditUnavailable = defineProblem({
  code: "audit_unavailable",
  status: 503,
  title: "The call could not be recorded",
  ...again,
  cause:
    "The audit record could not be made durable, or a connection broke before that was known. Effect and record commit together: either both are there or neither is.",
  remedy:
    "Try again after the seconds in Retry-After. With an Idempotency-Key a repetition is safe: if the call was carried out, it is answered as it was.",
});
export const overloaded = defineProblem({
  code: "overloaded",
  status: 503,
  title: "The service is not able to decide right now",
  ...again,
  cause: "This process is starting, stopping, overloaded, or has lost touch with the facts that it decides from.",
  remedy: "Try again after the seconds in Retry-After.",
});
export const proofNotReady = defineProblem({
  code: "proof_not_ready",
  status: 503,
  title: "The record is not in the log yet",
  ...again,
  cause: "The record is durable, but the log has not reached it within two seconds.",
  remedy: "Ask again in a moment.",
});
