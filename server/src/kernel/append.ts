/** The PostgreSQL types in which values travel. */
export type ColumnType = "text" | "bytea" | "int" | "bigint" | "smallint" | "boolean" | "float8" | "timestamptz";

/**
 * A table that grouped operations append to. The committer writes the rows of all waiting calls with one statement,
 * so a row is a flat list of values in the order of `columns`.
 */
export interface AppendTable<Row extends Record<string, unknown> = Record<string, unknown>> {
  readonly table: string;
  /**
   * Column and PostgreSQL type, in order; `as` where the value is sent as another type and cast (arrays cannot travel inside arrays).
   * Only what is written by appending; the rest has defaults. `organization` and `environment` are filled in.
   */
  readonly columns: readonly (readonly [name: (keyof Row & string) | "organization" | "environment", type: ColumnType, as?: string])[];
  /**
   * Set where a row can lose against an earlier one (an idempotency key): the conflict target, as SQL. All rows of a call whose
   * claiming row lost are left out. A call may append to one claiming table only, and one row to it.
   */
  readonly claim?: { readonly conflict: string; readonly orderBy: string };
}

/** Declares an append-only target; exactly the columns of `Row`. */
export function defineAppendTable<Row extends Record<string, unknown>>(table: AppendTable<Row>): AppendTable<Row> {
  return table;
}

/** A wake-up for a worker: names the job and the row that holds the truth. */
export interface JobSpec {
  readonly task: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly runAt?: Date;
  readonly priority?: number;
}

/** A list of texts as a PostgreSQL array literal, for a column of type `text` that is cast to `text[]`. */
export function arrayLiteral(texts: readonly string[]): string {
  if (texts.length === 0) return "{}";
  return `{${texts.map((text) => (/["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : `"${text}"`)).join(",")}}`;
}
