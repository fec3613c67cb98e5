import type { Refusal } from "../kernel/errors.ts";
import type { Answer, ProblemBody } from "./call.ts";
import type { Reached } from "./stages.ts";

export const problemType = "application/problem+json";

/** The problem body (RFC 9457) of a refusal. `auditRef` is the record's, which a flood of equal refusals shares. */
export function problemAnswer({ call, machine, headers }: Reached, refusal: Refusal, auditRef: string): Answer {
  const { type, details } = refusal;
  const retryable = details.retryable ?? type.retryable;
  const body: ProblemBody = {
    ...details.members,
    type: `${machine.appUrl}/docs/problems/${type.code}`,
    title: type.title,
    status: type.status,
    code: type.code,
    detail: details.detail,
    instance: call.target.slice(call.target.indexOf(" ") + 1),
    request_id: call.requestId,
    audit_ref: auditRef,
    ...(details.stage ? { stage: details.stage } : {}),
    retryable,
    ...(details.errors ? { errors: details.errors } : {}),
  };
  const retry = retryable && type.status >= 500 ? { "Retry-After": "1" } : {};
  return {
    status: type.status,
    contentType: problemType,
    body: JSON.stringify(body),
    headers: {
      ...headers,
      ...retry,
      ...details.headers,
      "X-Request-Id": call.requestId,
      "Audit-Ref": auditRef,
    },
  };
}
