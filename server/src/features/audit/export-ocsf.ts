import type { Scope } from "../../kernel/principal.ts";
import { type ExportWriter, type LeafRow, recordOf } from "./export-rows.ts";
import type { StoredRecord } from "./view.ts";

/** The version of the Open Cybersecurity Schema Framework that events are written in (schema.ocsf.io/1.3.0). */
export const ocsfVersion = "1.3.0";

const product = { name: "Agent Operations Service", vendor_name: "Agent Operations Service" };

/** Class API Activity (6003) of the category Application Activity (6). */
const api = { category_uid: 6, category_name: "Application Activity", class_uid: 6003, class_name: "API Activity" };

/** Activities of the class, by number. */
const activities = { 1: "Create", 2: "Read", 3: "Update", 4: "Delete" } as const;

/** What an operation does, by the verb that its name begins with. */
const verbs: Readonly<Record<string, keyof typeof activities>> = Object.fromEntries(
  [
    ["create", "add", "issue", "dispatch", "freeze", "propose", "engage", "invite", "give"],
    ["read", "list", "whoami", "check", "simulate", "search", "test", "stream"],
    ["change", "set", "replace", "approve", "reject", "request", "delegate", "deploy", "rollback", "pause", "resume", "complete", "finish", "fail", "block", "requeue", "expire", "start", "cancel", "end", "retry", "calibrate", "recover", "rotate", "disable"],
    ["delete", "archive", "retire", "revoke", "remove", "release"],
  ].flatMap((words, at) => words.map((word) => [word, (at + 1) as keyof typeof activities])),
); // biome-ignore format: a table

/** Severity and status by what the call came to. A refusal is the pipeline at work; a failure is somebody's to look at. */
const outcomes = {
  allowed: { severity_id: 1, severity: "Informational", status_id: 1, status: "Success" },
  refused: { severity_id: 2, severity: "Low", status_id: 2, status: "Failure" },
  failed: { severity_id: 3, severity: "Medium", status_id: 2, status: "Failure" },
} as const;

/**
 * One event of the class API Activity (OCSF 1.3.0) a line. What OCSF asks for and the log does not know is decided so:
 *
 * - `activity_id` follows the verb of the operation's name; a verb that is none of the four activities is 99, with the verb as `activity_name`.
 * - `src_endpoint` is required, but the log holds the caller's address as a commitment only: it is named `undisclosed`, or for calls of the service's own machines
 *   after the machine. Whoever may know an address checks it against `unmapped.commitments.address`.
 * - `actor.user.type_id` is System for the service's own machines, Unknown for callers without a valid key, and else 99 `Member`: records do not say whether a member is a person.
 * - What has no place in the class stands in `unmapped` under its own name.
 */
export function ocsfWriter(scope: Scope, origin: string): ExportWriter {
  return { schemaVersion: ocsfVersion, head: "", row: (leaf) => `${JSON.stringify(eventOf(leaf, recordOf(leaf), scope, origin))}\n` };
}

function eventOf(leaf: LeafRow, record: StoredRecord, scope: Scope, origin: string): object {
  const { operation, principal, status, outcome, code } = record;
  const activity = activityOf(operation);
  return {
    ...activity,
    ...api,
    type_uid: api.class_uid * 100 + activity.activity_id,
    type_name: `${api.class_name}: ${activity.activity_id === 99 ? "Other" : activity.activity_name}`,
    time: Date.parse(record.time),
    timezone_offset: 0,
    ...outcomes[outcome],
    status_code: String(status),
    ...(code !== null && { status_detail: code }),
    message: `${principal} called ${operation}: ${outcome}${code === null ? "" : `, ${code}`}`,
    metadata: metadataOf(leaf, record, scope, origin),
    actor: { user: userOf(record) },
    api: {
      operation,
      service: { name: product.name },
      request: { uid: record.request_id },
      response: { code: status, ...(code !== null && { error: code }) },
    },
    src_endpoint: principal.startsWith("system:") ? { name: product.name, svc_name: principal } : { name: "undisclosed" },
    ...resourcesOf(record),
    unmapped: unmappedOf(leaf, record, scope),
  };
}

function activityOf(operation: string): { activity_id: number; activity_name: string } {
  const verb = /^[a-z]*/.exec(operation.slice(operation.indexOf(".") + 1))?.[0] ?? "";
  const known = verbs[verb];
  return known === undefined
    ? { activity_id: 99, activity_name: verb || operation }
    : { activity_id: known, activity_name: activities[known] };
}

function metadataOf({ leaf_index }: LeafRow, { id, time, task_id }: StoredRecord, { organization }: Scope, origin: string): object {
  return {
    version: ocsfVersion,
    product,
    uid: id,
    log_name: "audit",
    log_provider: origin,
    sequence: leaf_index,
    original_time: time,
    tenant_uid: organization,
    ...(task_id !== null && { correlation_uid: task_id }),
  };
}

function userOf({ principal, key_id }: StoredRecord): object {
  const credential = key_id === null ? {} : { credential_uid: key_id };
  if (principal.startsWith("system:")) return { uid: principal, type_id: 3, type: "System", ...credential };
  if (principal.startsWith("mbr_")) return { uid: principal, type_id: 99, type: "Member", ...credential };
  return { uid: principal, type_id: 0, type: "Unknown", ...credential };
}

/** What the call was about: its object, and the task and approval that it belongs to where they are others. */
function resourcesOf({ object, task_id, approval_id }: StoredRecord): object {
  const named = new Map<string, object>();
  const name = (type: string, uid: string) => void named.set(`${type}:${uid}`, { type, uid });
  const cut = object?.indexOf(":") ?? -1;
  if (object) name(cut < 0 ? object : object.slice(0, cut), object.slice(cut + 1));
  if (task_id) name("task", task_id);
  if (approval_id) name("approval", approval_id);
  return named.size === 0 ? {} : { resources: [...named.values()] };
}

function unmappedOf(leaf: LeafRow, record: StoredRecord, { environment }: Scope): object {
  const { stages, trust_score, approval_id, address, request, response } = record;
  return {
    environment,
    key_seq: leaf.key_seq,
    decision: record.outcome,
    stages,
    trust_score,
    approval_id,
    commitments: { address, request, response },
  };
}
