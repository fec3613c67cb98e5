import type { Refusal } from "../kernel/errors.ts";
import type { Answer, ProblemBody } from "./call.ts";
import type { Reached } from "./stages.ts";

export const problemType = "application/problem+json";

/** The problem body (RFC 9457) of a refusal. `auditRef` is the record's, which a flood of equal refusals shares. */
export function problemAnswer(reached: Reached, refusal: Refusal, auditRef: string): Answer {
  const { call, machine, headers } = reached;
  const { type } = refusal;
  const details = detailsFor(reached, refusal);
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

const inside: ReadonlySet<string> = new Set(["evaluation_gate", "compliance"]);

/**
 * Holders of a chat token read which kind of problem it is, and neither which agent it concerns nor why people or
 * policies stopped it.
 */
function detailsFor({ principal }: Reached, { type, details }: Refusal): Refusal["details"] {
  const chat = principal?.chat;
  if (!chat) return details;
  const { stage, headers, retryable, errors, members } = details;
  const words = JSON.stringify([details.detail, errors, members])
    .replaceAll("\\n", " ")
    .split(/[^\w-]+/);
  if (!inside.has(stage ?? "") && !words.includes(chat.agent)) return details;
  return {
    detail: `${type.title}.`,
    ...(stage && { stage }),
    ...(headers && { headers }),
    ...(retryable !== undefined && { retryable }),
  };
}
