import { type AuditRecord, leafHash, recordOfLeaf, refusingStage, sameBytes, withKeySeq } from "@aos/proof";

/** The columns of the search index that follow from a record's text. */
const expected = {
  record_id: ({ id }: AuditRecord) => id,
  key_id: ({ key_id }: AuditRecord) => key_id,
  principal: ({ principal }: AuditRecord) => principal,
  operation: ({ operation }: AuditRecord) => operation,
  object: ({ object }: AuditRecord) => object,
  task_id: ({ task_id }: AuditRecord) => task_id,
  approval_id: ({ approval_id }: AuditRecord) => approval_id,
  decision: ({ outcome }: AuditRecord): string => outcome,
  stage: refusingStage,
  status: ({ status }: AuditRecord) => status,
};

export type IndexColumns = { readonly [name in keyof typeof expected]: ReturnType<(typeof expected)[name]> };
export const indexColumns = Object.keys(expected) as (keyof IndexColumns)[];

/** The first column in which the search index differs from the record, in words. */
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

export type LeafFinding =
  | { readonly leafData: string; readonly record: AuditRecord; readonly fault?: undefined }
  | { readonly fault: string };

/** Checks a leaf against its hash in the log, and the search index against the leaf. */
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
