import { type AuditRecord, leafHash, recordOfLeaf, refusingStage, sameBytes, withKeySeq } from "@aos/proof";

/** What the search index says of a record: columns that follow from its text. */
export interface IndexColumns {
  readonly record_id: string;
  readonly key_id: string | null;
  readonly principal: string;
  readonly operation: string;
  readonly object: string | null;
  readonly task_id: string | null;
  readonly approval_id: string | null;
  readonly decision: string;
  readonly stage: string | null;
  readonly status: number;
}

/** The columns of `IndexColumns`. */
export const indexColumns = [
  "record_id",
  "key_id",
  "principal",
  "operation",
  "object",
  "task_id",
  "approval_id",
  "decision",
  "stage",
  "status",
] as const satisfies readonly (keyof IndexColumns)[];

const expected: Readonly<Record<keyof IndexColumns, (record: AuditRecord) => string | number | null>> = {
  record_id: ({ id }) => id,
  key_id: ({ key_id }) => key_id,
  principal: ({ principal }) => principal,
  operation: ({ operation }) => operation,
  object: ({ object }) => object,
  task_id: ({ task_id }) => task_id,
  approval_id: ({ approval_id }) => approval_id,
  decision: ({ outcome }) => outcome,
  stage: refusingStage,
  status: ({ status }) => status,
};

/** In what the search index says something else than the record, in words; undefined where it does not. */
export function indexFault(index: IndexColumns, record: AuditRecord): string | undefined {
  const name = indexColumns.find((one) => index[one] !== storable(expected[one](record)));
  if (name === undefined) return undefined;
  return `its ${name} is ${JSON.stringify(index[name])} in the search index, and ${JSON.stringify(expected[name](record))} in the record itself`;
}

/** A leaf with its text as the database has it. */
export interface StoredLeaf extends IndexColumns {
  readonly key_seq: number | null;
  /** The record's canonical JSON, its `key_seq` still open. */
  readonly body: string;
}

/** What the database has of a leaf, or what is wrong with it. */
export type LeafFinding =
  | { readonly leafData: string; readonly record: AuditRecord; readonly fault?: undefined }
  | { readonly fault: string };

/** Holds a leaf to its hash in the log, and the search index to the leaf. */
export function inspectLeaf(leaf: StoredLeaf, hash: Uint8Array | null): LeafFinding {
  const leafData = leafDataOf(leaf.body, leaf.key_seq);
  if (leafData === undefined || hash === null || !sameBytes(leafHash(leafData), hash)) {
    return { fault: "is not what was logged: its text, its place or its number among those of its key was changed" };
  }
  const record = recordOfLeaf(leafData);
  const fault = indexFault(leaf, record);
  return fault === undefined ? { leafData, record } : { fault: `is not what the search index says: ${fault}` };
}

/** The leaf data of a text as it is stored; undefined where the number has no place in it. */
function leafDataOf(body: string, keySeq: number | null): string | undefined {
  try {
    return keySeq === null ? body : withKeySeq(body, keySeq);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** PostgreSQL's text has no NUL: the index has U+FFFD in its place. */
export function storable<T extends string | number | null>(value: T): T | string {
  return typeof value === "string" && value.includes("\u0000") ? value.replaceAll("\u0000", "\ufffd") : value;
}
