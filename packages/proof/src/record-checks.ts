import canonicalize from "canonicalize";
import type { Finding, Findings } from "./findings.ts";
import { type AuditRecord, buildRecordBody, recordVersion } from "./record.ts";

/** The checks of single records of an export, in file order. */
export interface RecordChecks {
  /** Checks one record; answers its id where it can be read. */
  check(text: string, leafIndex: number, line: number): string | null;
  /** Notes leaves whose record is no longer kept, one by default, so that a gap in a key's sequence can be theirs. */
  skip(leaves?: number): void;
}

/**
 * Checks for the log with this origin (`<installation>/<organization>/<environment>`); an empty origin matches none. `sequences: false` where records may be
 * left out on purpose, so that the numbers of a key may have gaps.
 */
export function createRecordChecks(
  origin: string,
  findings: Findings,
  options: { readonly sequences?: boolean } = {},
): RecordChecks {
  const sequences = new Map<string, number>();
  let skipped = 0;
  let goesOn = false;
  return {
    skip(leaves = 1) {
      skipped += leaves;
    },
    check(text, leafIndex, line) {
      const record = parse(text);
      const recordId = typeof record?.id === "string" ? record.id : null;
      const report = (kind: Finding["kind"], message: string): void =>
        findings.add({ kind, leafIndex, line, recordId, message });
      if (!record || !isCanonical(record, text)) {
        report("not_canonical", `leaf ${leafIndex} is not canonical JSON (RFC 8785)`);
        if (!record) return null;
      }
      if (!origin.endsWith(`/${record.organization}/${record.environment}`)) {
        report(
          "other_log",
          `leaf ${leafIndex} is a record of ${record.organization}/${record.environment}, the log is ${origin}`,
        );
      }
      // A log that took over from another one begins with that record, and goes on with the numbers of keys.
      if (leafIndex === 0) goesOn = record.operation === "audit.adoptLog";
      const fault = options.sequences === false ? undefined : checkSequence(record, sequences, skipped, goesOn);
      if (fault) report("key_sequence", fault);
      return recordId;
    },
  };
}

function parse(text: string): Partial<AuditRecord> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Partial<AuditRecord>)
      : null;
  } catch {
    return null;
  }
}

/** Whether a text is canonical JSON: quickly for the record format of today, by the general serialiser for any other. */
function isCanonical(value: Partial<AuditRecord>, text: string): boolean {
  if (value.version === recordVersion) {
    try {
      if (buildRecordBody(value as AuditRecord) === text) return true;
    } catch {
      // Not of this shape: the general serialiser decides.
    }
  }
  try {
    return canonicalize(value) === text;
  } catch {
    return false;
  }
}

/** What is wrong with a record's number among its key's; undefined if nothing. Advances the sequence. */
function checkSequence(
  record: Partial<AuditRecord>,
  sequences: Map<string, number>,
  skipped: number,
  goesOn: boolean,
): string | undefined {
  const { key_id: key, key_seq: sequence } = record;
  if (typeof key !== "string") return typeof sequence === "number" ? "a record without a key has a key_seq" : undefined;
  if (typeof sequence !== "number") return `the record of key ${key} has no key_seq`;
  const last = sequences.get(key) ?? (goesOn ? sequence - 1 : 0);
  sequences.set(key, Math.max(last, sequence));
  if (sequence === last + 1 || (sequence > last && sequence - last - 1 <= skipped)) return undefined;
  return `key ${key}: record ${sequence} follows record ${last}`;
}
