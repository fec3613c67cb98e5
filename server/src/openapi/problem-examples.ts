import type { ProblemType } from "../kernel/errors.ts";
import type { Json } from "./schema.ts";

/** Where the examples' service stands. */
const exampleService = "http://127.0.0.1:4000";

const dispatch = "/v1/agents/sales/tasks";
const leadMissing = {
  pointer: "/lead_id",
  code: "required",
  detail: "`lead_id` is missing: the skill qualify_lead needs it.",
};
const at = "2026-11-21T03:00:00.000Z";

/**
 * One occurrence of kinds whose bodies say more than their kind: what stands in `detail`, which stage refused, and members of their own. A test
 * holds what callers get against these: a member that is missing here is found.
 */
export const occurrences: Readonly<Record<string, Json>> = {
  malformed_body: {
    detail: "Line 1, column 8: the text ends inside an object.",
    instance: dispatch,
    errors: [{ pointer: "", code: "unexpected_end", detail: "the text ends inside an object." }],
  },
  invalid_parameter: {
    detail: "There is no query parameter `limt`; did you mean `limit`?",
    errors: [
      { parameter: "limt", code: "unknown", detail: "There is no query parameter `limt`; did you mean `limit`?" },
    ],
  },
  invalid_cursor: {
    detail: "The cursor was made for another filter; start again without it.",
    errors: [
      {
        parameter: "cursor",
        code: "foreign",
        detail: "The cursor was made for another filter; start again without it.",
      },
    ],
  },
  invalid_header: {
    detail: "If-None-Match: an entity tag stands in double quotes.",
    errors: [{ header: "If-None-Match", code: "format", detail: "an entity tag stands in double quotes." }],
  },
  insufficient_scope: {
    detail: "This call needs the scope tasks:write; the key does not have it: its role is viewer.",
    instance: dispatch,
    stage: "permissions",
    missing_scope: "tasks:write",
  },
  policy_blocked: {
    detail: "Leads are not called at night. (policy pol_01jd8x0000000000000000000h, version 3, night_rest)",
    instance: dispatch,
    stage: "compliance",
    policies: [
      {
        policy: "pol_01jd8x0000000000000000000h",
        version: 3,
        reason_code: "night_rest",
        message: "Leads are not called at night.",
      },
    ],
  },
  budget_exhausted: {
    detail:
      "The budget of the agent sales is 200 tasks a day; 200 tasks of it are used, and this call needs 1 task. It resets at 2026-11-22T00:00:00.000Z.",
    instance: dispatch,
    stage: "compliance",
    budget: {
      scope: "agent:sales",
      unit: "tasks",
      period: "day",
      limit: 200,
      used: 200,
      resets_at: "2026-11-22T00:00:00.000Z",
    },
  },
  evaluation_gate_failed: {
    detail: "Agent sales, version ver_01jd8x0000000000000000000j, may not act in production: its evaluation failed.",
    instance: dispatch,
    stage: "evaluation_gate",
    gate: { state: "failed", reasons: ["accuracy 0.71 is below 0.90"], version: "1" },
  },
  kill_switch_engaged: {
    detail:
      "The agent sales is stopped by the kill switch ksw_01jd8x0000000000000000000k: it wrote to the wrong customers",
    instance: dispatch,
    stage: "compliance",
    kill_switch: {
      kill_switch_id: "ksw_01jd8x0000000000000000000k",
      kind: "agent",
      target: "sales",
      mode: "stop",
      reason: "it wrote to the wrong customers",
    },
  },
  agent_paused: {
    detail: `sales is paused since ${at} and takes no work: its playbook is being corrected`,
    instance: dispatch,
    stage: "compliance",
    pause: { mode: "drain", reason: "its playbook is being corrected", since: at },
  },
  invalid_body: { detail: leadMissing.detail, instance: dispatch, errors: [leadMissing] },
  body_too_large: { detail: "The body may have 1048576 bytes.", instance: dispatch, limit_bytes: 1_048_576 },
  not_acceptable: {
    detail: "This operation answers application/json, application/yaml; Accept excludes all of them.",
    instance: "/v1/agents/sales",
    acceptable: ["application/json", "application/yaml"],
  },
};

/** Kinds that are answered before there is a call: nothing is recorded, and no path is known. */
const unread: ReadonlySet<string> = new Set([
  "malformed_request",
  "request_timeout",
  "uri_too_long",
  "expectation_failed",
  "headers_too_large",
]);

/** Whether a problem is answered before there is a call: without `Audit-Ref`, and without a path that was read. */
export const isUnread = ({ code }: ProblemType): boolean => unread.has(code);

/** The body of a problem as a caller gets it. */
export function problemExample({ code, title, status, retryable, cause }: ProblemType): Json {
  const { detail = cause, instance = "/v1/tasks", ...members } = occurrences[code] ?? {};
  const references = {
    request_id: "req_01jd8x0000000000000000000f",
    ...(unread.has(code) ? {} : { audit_ref: "aud_01jd8x0000000000000000000b" }),
  };
  const place = unread.has(code) ? {} : { instance };
  return {
    type: `${exampleService}/docs/problems/${code}`,
    title,
    status,
    code,
    detail,
    ...place,
    ...references,
    retryable,
    ...members,
  };
}
