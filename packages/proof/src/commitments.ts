import { sha256Hex } from "#sha256";
import { toHex } from "./bytes.ts";
import type { AuditRecord } from "./record.ts";

/** The members of a record that hold commitments. */
export const committedFields = ["address", "request", "response"] as const;
export type CommittedField = (typeof committedFields)[number];

/** Characters of an opening: 128 bits in hexadecimal. */
const openingLength = 32;

/** A subject's salt as commitments take it: 32 random bytes in lower-case hexadecimal. */
export type SubjectSalt = string;

/**
 * The opening of one field of one record: the first 128 bits of SHA-256(subject salt ‖ record id ‖ ":" ‖ field), all as text. Whoever
 * gets it can check that one value, and no other of the subject's; without the salt nobody can make it again. (The salt has one
 * length, so no two inputs run together; half of the hash stays hidden, so none can be extended.)
 */
export function openingOf(subjectSalt: SubjectSalt, recordId: string, field: string): string {
  return sha256Hex(`${subjectSalt}${recordId}:${field}`).slice(0, openingLength);
}

/** The commitment to a value: SHA-256(opening ‖ value), all as text, so that `printf %s "$opening$value" | sha256sum` checks it. */
export function commitmentOf(opening: string, value: string): string {
  return sha256Hex(opening + value);
}

/** Commits one field of one record to a value under its subject's salt. */
export function commit(subjectSalt: SubjectSalt, recordId: string, field: CommittedField, value: string): string {
  return commitmentOf(openingOf(subjectSalt, recordId, field), value);
}

/** The openings of every commitment that the record carries, for handing to someone who may check its values. */
export function openingsOf(
  salt: Uint8Array,
  record: Pick<AuditRecord, "id" | CommittedField>,
): Partial<Record<CommittedField, string>> {
  const openings: Partial<Record<CommittedField, string>> = {};
  for (const field of committedFields)
    if (record[field] !== null) openings[field] = openingOf(toHex(salt), record.id, field);
  return openings;
}
