import { type ExportRow, recordOfLeaf, rowOf } from "./export-row.ts";
import type { AuditRecord } from "./record.ts";

/** The version of the Open Cybersecurity Schema Framework that events are written in (schema.ocsf.io/1.3.0). */
export const ocsfVersion = "1.3.0";

const product = { name: "Agent Operations Service", vendor_name: "Agent Operations Service" };

/** Class API Activity (6003) of the category Application Activity (6). */
const api = { category_uid: 6, category_name: "Application Activity", class_uid: 6003, class_name: "API Activity" };

/** What an operation does, in the words of the class. */
export interface OcsfActivity {
  readonly activity_id: number;
  readonly activity_name: string;
}

/** The activities of the class, by number; 99 is any other, under a name of its own. */
export const ocsfActivities: Readonly<Record<number, string>> = { 1: "Create", 2: "Read", 3: "Update", 4: "Delete" };

/** Severity and status by what the call came to. A refusal is the pipeline at work; a failure is somebody's to look at. */
const outcomes = {
  allowed: { severity_id: 1, severity: "Informational", status_id: 1, status: "Success" },
  refused: { severity_id: 2, severity: "Low", status_id: 2, status: "Failure" },
  failed: { severity_id: 3, severity: "Medium", status_id: 2, status: "Failure" },
} as const;

/**
 * One event of the class API Activity (OCSF 1.3.0) a line. What OCSF asks for and the log does not know is decided so:
 *
 * - `src_endpoint` is required, but the log holds the caller's address as a commitment only: it is named `undisclosed`, or for calls of the service's own machines
 *   after the machine. Whoever may know an address checks it against `unmapped.commitments.address`.
 * - `actor.user.type_id` is System for the service's own machines, Unknown for callers without a valid key, and else 99 `Member`: records do not say whether a member is a person.
 * - What has no place in the class stands in `unmapped` under its own name. `raw_data` is the leaf data.
 *
 * The activity does not follow from the record: the service sorts its operations into those of the class.
 */
export function ocsfRow(
  row: ExportRow,
  origin: string,
  activity: OcsfActivity,
  record: AuditRecord = recordOfLeaf(row.leafData),
): string {
  const { operation, principal, status, outcome, code } = record;
  const event = {
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
    metadata: metadataOf(row, record, origin),
    actor: { user: userOf(record) },
    api: {
      operation,
      service: { name: product.name },
      request: { uid: record.request_id },
      response: { code: status, ...(code !== null && { error: code }) },
    },
    src_endpoint: principal.startsWith("system:")
      ? { name: product.name, svc_name: principal }
      : { name: "undisclosed" },
    ...resourcesOf(record),
    raw_data: row.leafData,
    unmapped: unmappedOf(row, record),
  };
  return `${JSON.stringify(event)}\n`;
}

function metadataOf(
  { leafIndex }: ExportRow,
  { id, time, task_id, organization }: AuditRecord,
  origin: string,
): object {
  return {
    version: ocsfVersion,
    product,
    uid: id,
    log_name: "audit",
    log_provider: origin,
    sequence: leafIndex,
    original_time: time,
    tenant_uid: organization,
    ...(task_id !== null && { correlation_uid: task_id }),
  };
}

function userOf({ principal, key_id }: AuditRecord): object {
  const credential = key_id === null ? {} : { credential_uid: key_id };
  if (principal.startsWith("system:")) return { uid: principal, type_id: 3, type: "System", ...credential };
  if (principal.startsWith("mbr_")) return { uid: principal, type_id: 99, type: "Member", ...credential };
  return { uid: principal, type_id: 0, type: "Unknown", ...credential };
}

/** What the call was about: its object, and the task and approval that it belongs to where they are others. */
function resourcesOf({ object, task_id, approval_id }: AuditRecord): object {
  const named = new Map<string, object>();
  const name = (type: string, uid: string) => void named.set(`${type}:${uid}`, { type, uid });
  const cut = object?.indexOf(":") ?? -1;
  if (object) name(cut < 0 ? object : object.slice(0, cut), object.slice(cut + 1));
  if (task_id) name("task", task_id);
  if (approval_id) name("approval", approval_id);
  return named.size === 0 ? {} : { resources: [...named.values()] };
}

function unmappedOf({ skipped }: ExportRow, record: AuditRecord): object {
  const { environment, stages, trust_score, approval_id, address, request, response } = record;
  return {
    environment,
    key_seq: record.key_seq,
    decision: record.outcome,
    stages,
    trust_score,
    approval_id,
    commitments: { address, request, response },
    ...(skipped !== "" && { skipped }),
  };
}

/** Reads what a line of an OCSF export says for verification, with its activity; undefined where it cannot be read. */
export function readOcsfRow(line: string): { row: ExportRow; activity: OcsfActivity } | undefined {
  try {
    const { metadata, raw_data, unmapped, activity_id, activity_name } = JSON.parse(line);
    const row = rowOf(metadata.sequence, raw_data, unmapped.skipped ?? "");
    const known = ocsfActivities[activity_id] ?? (activity_id === 99 ? activity_name : undefined);
    return row && known === activity_name && typeof known === "string"
      ? { row, activity: { activity_id, activity_name } }
      : undefined;
  } catch {
    return undefined;
  }
}
