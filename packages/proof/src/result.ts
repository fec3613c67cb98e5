import canonicalize from "canonicalize";
import { sha256Hex } from "#sha256";
import { repeatedName } from "./canonical.ts";
import { type CommittedField, commitmentOf } from "./commitments.ts";
import type { AuditRecord } from "./record.ts";

/** What of a result its record commits to, by the names under which `GET /v1/tasks/{task}` and `GET /v1/tasks/{task}/result` answer it. */
const resultMembers = ["failure", "output", "status", "task_id", "trust_score"] as const;

export interface ResultToVerify {
  /** The leaf of the record that ended the task (`result_ref`), whose proof was verified. */
  readonly leafData: string;
  /** `openings` of the record, as `GET /v1/audit/events/{audit_ref}` answers them. */
  readonly openings: unknown;
  /** The result, or the task, as the service answered it. */
  readonly resultText: string;
}

/** `input`: the file holds the input of the task as well, and that is the recorded one. */
export type ResultVerdict =
  | { readonly verified: true; readonly taskId: string; readonly input: boolean }
  | { readonly verified: false; readonly reason: string };

const refused = (reason: string): ResultVerdict => ({ verified: false, reason });

/**
 * Checks offline that a result is the one that the record of its task's end commits to: the commitment is SHA-256(opening ‖ SHA-256 of the canonical JSON (RFC 8785)
 * of its members `failure`, `output`, `status`, `task_id`, `trust_score`, and of `predictions` where there are any), digests in hexadecimal; for the input, of the input itself.
 */
export function verifyResult({ leafData, openings, resultText }: ResultToVerify): ResultVerdict {
  const leaf = objectIn(leafData) as Partial<AuditRecord> | null;
  const shown = objectIn(resultText);
  if (!leaf || !shown) return refused("the record or the result is no JSON object");
  const twice = repeatedName(resultText);
  if (twice !== null)
    return refused(
      `${JSON.stringify(twice)} occurs twice in one object of the result, so the result contradicts itself`,
    );
  const missing = resultMembers.find((name) => !Object.hasOwn(shown, name));
  if (missing)
    return refused(`it has no ${missing}: give what GET /v1/tasks/{task}/result or GET /v1/tasks/{task} answered`);
  if (leaf.task_id !== shown.task_id) return refused("the record is of another task");
  if (typeof leaf.principal !== "string" || !leaf.principal.startsWith("system:"))
    return refused(
      `the record is of ${leaf.operation}, a call from outside: it commits to the bytes of the answer, not to a result`,
    );
  const opened = (field: CommittedField, value: unknown) => opens(leaf, openings, field, value);
  const members = (shown.predictions ?? null) === null ? resultMembers : [...resultMembers, "predictions"];
  const result = opened("response", Object.fromEntries(members.map((name) => [name, shown[name]])));
  if (result !== null) return refused(result);
  const input = Object.hasOwn(shown, "input");
  const given = input ? opened("request", shown.input) : null;
  return given === null ? { verified: true, taskId: String(shown.task_id), input } : refused(given);
}

const names = { response: "result", request: "input", address: "address" } as const;

/** Why a value is not the one that a field of the record commits to; null: it is. */
function opens(leaf: Partial<AuditRecord>, openings: unknown, field: CommittedField, value: unknown): string | null {
  const commitment = leaf[field];
  if (typeof commitment !== "string") return `the record commits to no ${names[field]}: it is of ${leaf.operation}`;
  const opening = (openings as { readonly [name: string]: unknown } | null | undefined)?.[field];
  if (typeof opening !== "string" || !/^[0-9a-f]{32}$/.test(opening))
    return `the opening of the ${names[field]} is missing: give the record as GET /v1/audit/events/{audit_ref} answers it; once the data of the person concerned was erased there is none`;
  const holds = commitmentOf(opening, sha256Hex(canonicalOf(value))) === commitment;
  return holds ? null : `the ${names[field]} is not the one that the log holds: one of the two was changed`;
}

/** Canonical JSON; of what cannot be canonical (lone surrogates) a text that nothing commits to. */
function canonicalOf(value: unknown): string {
  try {
    return canonicalize(value) ?? "";
  } catch {
    return "";
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
