import { refuse } from "../kernel/errors.ts";
import { ifNoneMatchHolds, parseTagList, strongEtag } from "../kernel/etag.ts";
import { nextLink } from "../kernel/page.ts";
import { invalidHeader } from "../kernel/problems.ts";
import type { Answer } from "./call.ts";
import { secondsToWait } from "./prefer.ts";
import type { Validated } from "./stages.ts";

/** The answer of a call that ends well, before it is sent: its bytes are part of the record. `form`: a media type of the operation's `writes`. */
export function answerOf(validated: Validated, output: unknown, form: string | null = null): Answer {
  const { spec } = validated;
  const writer = form === null ? undefined : spec.writes?.[form];
  const contentType = form ?? spec.contentType ?? "application/json";
  const headers = headersOf(validated);
  if (spec.location) {
    headers.Location = (spec.location as unknown as (output: unknown) => string)(output);
    if (spec.status === 202) headers["Retry-After"] = "1"; // work that goes on: soon enough to look at it
  }
  if (spec.revision) {
    const revision = (spec.revision as unknown as (output: unknown) => string | number)(output);
    headers.ETag = strongEtag(revision, writer?.etag ?? "json");
  }
  const link = linkOf(validated, output);
  if (link !== null) headers.Link = link;
  return { status: spec.status ?? 200, contentType, body: bodyOf(spec, output, contentType, writer?.write), headers };
}

function bodyOf(spec: Validated["spec"], output: unknown, contentType: string, write: unknown): string {
  if (spec.door === "inside") return "";
  if (write) return (write as (output: unknown) => string)(output);
  return contentType === "application/json" ? JSON.stringify(output) : String(output);
}

/** Headers of every answer of a call that ends well. */
export function headersOf(validated: Validated): Record<string, string> {
  const { spec, call, auditRef, input } = validated;
  const headers: Record<string, string> = {
    ...validated.headers,
    "X-Request-Id": call.requestId,
    "Audit-Ref": auditRef,
  };
  if (spec.waitable && input.query.wait === undefined) {
    const seconds = secondsToWait(call.prefer);
    if (seconds > 0) headers["Preference-Applied"] = `wait=${seconds}`;
  }
  return headers;
}

/** 304 where the caller already holds this revision. */
export function notModified({ call, spec }: Validated, answer: Answer): Answer {
  const { ifNoneMatch } = call;
  const etag = answer.headers.ETag;
  if (ifNoneMatch === null || etag === undefined || spec.revisionOfPart) return answer;
  const read = parseTagList(ifNoneMatch, "If-None-Match");
  if (!read.ok) throw refuse(invalidHeader, `If-None-Match: ${read.fault.detail}`, { errors: [read.fault] });
  if (ifNoneMatchHolds(read.list, etag)) return answer;
  return { ...answer, status: 304, body: "" };
}

/** The address of the next page, where the answer is a page that has one. */
function linkOf({ call, spec }: Validated, output: unknown): string | null {
  const next = (output as { next_cursor?: unknown } | null)?.next_cursor;
  if (spec.kind !== "read" || typeof next !== "string") return null;
  const path = call.target.slice(call.target.indexOf(" ") + 1);
  return nextLink(path, Object.fromEntries(new URLSearchParams(call.query)), next);
}
