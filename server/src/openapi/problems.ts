import { isOpenToEndUsers } from "../kernel/chat-token.ts";
import type { ProblemType } from "../kernel/errors.ts";
import type { OperationDescription } from "../kernel/operation-seal.ts";
import * as problems from "../kernel/problems.ts";
import { isAgentAction, isNeverDenied } from "../pipeline/compliance/actions.ts";

/** Server-sent events (HTML, section 9.2): a client that comes back says with Last-Event-ID what it has. */
export const eventStream = "text/event-stream";

/** Every problem that a call of an operation can meet: those of the pipeline's stages as far as they apply, and its own. */
export function problemsOf(operation: OperationDescription): ProblemType[] {
  const {
    method,
    exemptions,
    action,
    query,
    errors,
    needsRevision,
    takesRevision,
    conditional,
    writes,
    streams,
    spends,
  } = operation;
  const change = method !== "GET";
  const repeatable = isRepeatable(operation);
  const all: (ProblemType | false)[] = [
    problems.invalidParameter,
    query?.properties.cursor !== undefined && problems.invalidCursor,
    (repeatable || needsRevision || takesRevision || conditional || streams.includes(eventStream)) &&
      problems.invalidHeader,
    problems.unauthenticated,
    problems.addressNotAllowed,
    isOpenToEndUsers(operation.id) && problems.originNotAllowed,
    (exemptions.permission === undefined || exemptions.load === undefined) && problems.insufficientScope,
    action !== null && !isNeverDenied(action) && problems.policyBlocked,
    exemptions.load === undefined && problems.notFound,
    exemptions.gate === undefined && problems.gateFailed,
    ...(action !== null && isAgentAction(action) ? [problems.killSwitchEngaged, problems.agentPaused] : []),
    spends && problems.budgetExhausted,
    writes.length + streams.length > 0 && problems.notAcceptable,
    repeatable && operation.kind !== "grouped" && problems.twinRunning,
    (needsRevision || takesRevision) && problems.staleRevision,
    needsRevision && problems.preconditionRequired,
    ...(change
      ? [problems.malformedBody, problems.bodyTooLarge, problems.unsupportedMediaType, problems.invalidBody]
      : []),
    repeatable && problems.idempotencyKeyReused,
    problems.uriTooLong,
    problems.headersTooLarge,
    problems.rateLimited,
    problems.internalError,
    problems.auditUnavailable,
    problems.databaseUnavailable,
    problems.overloaded,
    ...errors,
  ];
  return [...new Set(all.filter((type) => type !== false))].sort(
    (a, b) => a.status - b.status || (a.code < b.code ? -1 : 1),
  );
}

/** Whether a call can be repeated safely with an Idempotency-Key. */
export function isRepeatable({ method }: OperationDescription): boolean {
  return method === "POST" || method === "PATCH";
}
