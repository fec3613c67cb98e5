import { type AuditRecord, refusingStage } from "@aos/proof";

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

/** The columns of `IndexColumns` in SQL. */
export const indexColumns = "record_id, key_id, principal, operation, object, task_id, approval_id, decision, stage, status";

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
const names = Object.keys(expected) as (keyof IndexColumns)[];

/** In what the search index says something else than the record, in words; undefined where it does not. */
export function indexFault(index: IndexColumns, record: AuditRecord): string | undefined {
  const name = names.find((one) => index[one] !== storable(expected[one](record)));
  if (name === undefined) return undefined;
  return `its ${name} is ${JSON.stringify(index[name])} in the search index, and ${JSON.stringify(expected[name](record))} in the record itself`;
}

/** PostgreSQL's text has no NUL: the index has U+FFFD in its place. */
export function storable<T extends string | number | null>(value: T): T | string {
  return typeof value === "string" && value.includes("\u0000") ? value.replaceAll("\u0000", "\ufffd") : value;
}
