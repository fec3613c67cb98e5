import type { Refusal } from "../kernel/errors.ts";
import { refuse } from "../kernel/errors.ts";
import { ifNoneMatchHolds, parseTagList, strongEtag } from "../kernel/etag.ts";
import { nextLink } from "../kernel/page.ts";
import { invalidHeader } from "../kernel/problems.ts";
import type { Attempt } from "./stages.ts";
import type { Answer } from "./call.ts";
import { secondsToWait } from "./prefer.ts";

/** What a call came to. */
export interface Finished {
  readonly answer: Answer;
  readonly output: unknown;
  readonly refusal: Refusal | null;
}

/** The answer of a call that ends well, before it is sent: its bytes are part of the record. `form`: a media type of the operation's `writes`. */
export function answerOf(attempt: Attempt, output: unknown, form: string | null = null): Answer {
  const { spec } = attempt;
  const writer = form === null ? undefined : spec.writes?.[form];
  const contentType = form ?? spec.contentType ?? "application/json";
  const headers = headersOf(attempt);
  if (spec.location) {
    headers.Location = (spec.location as unknown as (output: unknown) => string)(output);
    if (spec.status === 202) headers["Retry-After"] = "1"; // work that goes on: soon enough to look at it
  }
  if (spec.revision) {
    const revision = (spec.revision as unknown as (output: unknown) => string | number)(output);
    headers.ETag = strongEtag(revision, writer?.etag ?? "json");
  }
  const link = linkOf(attempt, output);
  if (link !== null) headers.Link = link;
  return { status: spec.status ?? 200, contentType, body: bodyOf(spec, output, contentType, writer?.write), headers };
}

function bodyOf(spec: Attempt["spec"], output: unknown, contentType: string, write: unknown): string {
  if (spec.door === "inside") return "";
  if (write) return (write as (output: unknown) => string)(output);
  return contentType === "application/json" ? JSON.stringify(output) : String(output);
}

/** Headers of every answer of a call that ends well. */
export function headersOf(attempt: Attempt): Record<string, string> {
  const { spec, call, progress, query } = attempt;
  const headers: Record<string, string> = {
    ...attempt.headers,
    "X-Request-Id": call.requestId,
    "Audit-Ref": progress.auditRef,
  };
  if (spec.waitable && query.wait === undefined) {
    const seconds = secondsToWait(call.prefer);
    if (seconds > 0) headers["Preference-Applied"] = `wait=${seconds}`;
  }
  return headers;
}

/** 304 where the caller already holds this revision. */
export function notModified(attempt: Attempt, answer: Answer): Answer {
  const { ifNoneMatch } = attempt.call;
  const etag = answer.headers.ETag;
  if (ifNoneMatch === null || etag === undefined || attempt.spec.revisionOfPart) return answer;
  const read = parseTagList(ifNoneMatch, "If-None-Match");
  if (!read.ok) throw refuse(invalidHeader, `If-None-Match: ${read.fault.detail}`, { errors: [read.fault] });
  if (ifNoneMatchHolds(read.list, etag)) return answer;
  return { ...answer, status: 304, body: "" };
}

/** The address of the next page, where the answer is a page that has one. */
function linkOf(attempt: Attempt, output: unknown): string | null {
  const next = (output as { next_cursor?: unknown } | null)?.next_cursor;
  if (attempt.spec.kind !== "read" || typeof next !== "string") return null;
  const path = attempt.call.target.slice(attempt.call.target.indexOf(" ") + 1);
  return nextLink(path, Object.fromEntries(new URLSearchParams(attempt.call.query)), next);
}
