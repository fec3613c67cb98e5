import type { Json } from "./schema.ts";

/** Values of members whose name says more than their schema. */
const byName: Readonly<Record<string, unknown>> = {
  agent: "sales",
  task: "qualify_lead",
  summary: "The caller asked for approval.",
  reason: "The price list is out of date.",
  by: "mbr_01jd8x0000000000000000000c",
  decided_by: "mbr_01jd8x0000000000000000000c",
  approve_url: "https://agents.example.com/approvals/tsk_01jd8x0000000000000000000a",
  question: "Which of the two contracts is meant?",
  trust_score: 0.91,
  scope: "agent:sales",
};

const prefixes: Readonly<Record<string, string>> = {
  task_id: "tsk",
  audit_ref: "aud",
  approval_id: "apr",
  policy: "pol",
  run_id: "run",
  key_id: "key",
};

/**
 * A body that fits the schema of an event: constants and first choices, values of the field where a member's name tells them, and otherwise the least that the
 * schema allows.
 *
 * @param schema - JSON Schema of the body, as events declare it, without references
 */
export function eventExample(schema: Json): Json {
  const body = sample(schema, "") as Record<string, unknown>;
  const status = statuses[String(body.event)];
  return status === undefined ? body : { ...body, status };
}

/** In which state a task is when it tells of itself. */
const statuses: Readonly<Record<string, string>> = {
  "task.created": "queued",
  "task.approved": "queued",
  "task.started": "running",
  "task.completed": "completed",
  "task.failed": "failed",
  "task.cancelled": "cancelled",
  "task.rejected": "rejected",
  "task.expired": "expired",
  "task.blocked": "blocked",
  "task.input_required": "input_required",
};

function sample(schema: Json, name: string): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as readonly Json[] | undefined;
  if (choices !== undefined) return sample(choices[0] as Json, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") return objectOf(schema);
  if (type === "array") return schema.items === undefined ? [] : [sample(schema.items as Json, name.replace(/s$/, ""))];
  if (type === "integer" || type === "number") return byName[name] ?? schema.minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "null") return null;
  return textOf(schema, name);
}

function objectOf({ properties }: Json): Json {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, Json>).map(([name, one]) => [name, sample(one, name)]),
  );
}

function textOf({ format, pattern, description }: Json, name: string): unknown {
  if (format === "date-time") return "2026-11-20T09:00:00.000Z";
  const prefix =
    prefixes[name] ??
    /^\^\(?([a-z]{2,3})_/.exec(String(pattern ?? ""))?.[1] ??
    /`([a-z]{2,3})_…`/.exec(String(description ?? ""))?.[1];
  if (byName[name] !== undefined) return byName[name];
  return prefix === undefined ? name.replaceAll("_", " ") : `${prefix}_01jd8x0000000000000000000a`;
}
