/** Version of the record format that `buildRecordBody` writes. */
export const recordVersion = 1;

/** What one stage of the pipeline said of a call. */
export interface AuditStage {
  readonly policy_version: string | null;
  readonly reasons: readonly string[];
  readonly stage: string;
  readonly verdict: string;
}

/** One record of the audit log, version 1. Its canonical JSON is the data of a leaf. */
export interface AuditRecord {
  /** Commitment to the caller's address. */
  readonly address: string | null;
  readonly approval_id: string | null;
  /** The problem code of a refusal or failure. */
  readonly code: string | null;
  readonly environment: string;
  /** `aud_…` */
  readonly id: string;
  readonly key_id: string | null;
  /** The number of this record among those of its key, from 1 without gaps, given by the sequencer; null without a key. */
  readonly key_seq: number | null;
  /** What was acted on: `<type>:<id>`, such as `task:tsk_…`. */
  readonly object: string | null;
  readonly operation: string;
  readonly organization: string;
  readonly outcome: "allowed" | "refused" | "failed";
  /** `mbr_…`, `svc:…`, `system:<job>` or `anonymous`. */
  readonly principal: string;
  /** Commitment to the digest of the request body; of what the service does by itself, to that of what it was given, such as the input of a task that ends. */
  readonly request: string | null;
  readonly request_id: string;
  /** Commitment to the digest of the response body; of what the service does by itself, to that of its result (`result.ts`). */
  readonly response: string | null;
  /** Permissions, evaluation gate, compliance, audit, in this order. */
  readonly stages: readonly AuditStage[];
  /** HTTP status. */
  readonly status: number;
  readonly task_id: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string;
  readonly trust_score: number | null;
  readonly version: typeof recordVersion;
}

const openSequence = '"key_seq":null';

/**
 * The record as canonical JSON (RFC 8785), written out for this one shape because every call passes here: members in the order of
 * their names, strings and numbers as ECMAScript serialises them. Lone surrogates, which canonical JSON cannot carry, become
 * U+FFFD. Throws RangeError for a number that is not finite.
 */
export function buildRecordBody(r: AuditRecord): string {
  return `{"address":${text(r.address)},"approval_id":${text(r.approval_id)},"code":${text(r.code)},"environment":${string(
    r.environment,
  )},"id":${string(r.id)},"key_id":${text(r.key_id)},"key_seq":${number(r.key_seq)},"object":${text(r.object)},"operation":${string(
    r.operation,
  )},"organization":${string(r.organization)},"outcome":${string(r.outcome)},"principal":${string(r.principal)},"request":${text(
    r.request,
  )},"request_id":${string(r.request_id)},"response":${text(r.response)},"stages":[${stages(r.stages)}],"status":${number(
    r.status,
  )},"task_id":${text(r.task_id)},"time":${string(r.time)},"trust_score":${number(r.trust_score)},"version":${number(r.version)}}`;
}

/**
 * Puts the number of the record in its key's sequence where `"key_seq":null` stands. The place is unambiguous: inside a string every
 * quotation mark is escaped, so this run of characters can only be a member, and no nested object of a record has such a member.
 * Throws RangeError when the body has no open place, or the number is not a positive whole one.
 */
export function withKeySeq(body: string, sequence: number): string {
  const at = body.indexOf(openSequence);
  if (at < 0) throw new RangeError("the record has no open key_seq");
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new RangeError(`key_seq ${sequence} is no positive whole number`);
  return `${body.slice(0, at + 10)}${sequence}${body.slice(at + openSequence.length)}`;
}

/** Verdicts are immutable, and most calls share theirs with others. */
const stageTexts = new WeakMap<AuditStage, string>();

function stages(list: readonly AuditStage[]): string {
  let all = "";
  for (const stage of list) {
    let one = stageTexts.get(stage);
    if (one === undefined) {
      one = stageText(stage);
      stageTexts.set(stage, one);
    }
    all += all === "" ? one : `,${one}`;
  }
  return all;
}

function stageText(s: AuditStage): string {
  let reasons = "";
  for (const reason of s.reasons) reasons += reasons === "" ? string(reason) : `,${string(reason)}`;
  return `{"policy_version":${text(s.policy_version)},"reasons":[${reasons}],"stage":${string(s.stage)},"verdict":${string(s.verdict)}}`;
}

function text(value: string | null): string {
  return value === null ? "null" : string(value);
}

/** Printable ASCII without quotation mark and backslash: stands in JSON as it is. */
const plain = /^[ !#-[\]-~]*$/;

function string(value: string): string {
  if (plain.test(value)) return `"${value}"`;
  return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());
}

function number(value: number | null): string {
  if (value === null) return "null";
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot stand in a record`);
  return JSON.stringify(value);
}
