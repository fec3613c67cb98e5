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
  readonly columns: readonly (readonly [
    name: (keyof Row & string) | "organization" | "environment",
    type: ColumnType,
    as?: string,
  ])[];
  /**
   * Set where a row can lose against an earlier one (an idempotency key): the conflict target, as SQL, and the column by which rows are distinguished
   * apart there, in whose order they are written. All rows of a call whose claiming row lost are left out. A call may append to one claiming
   * table only, and one row to it.
   */
  readonly claim?: { readonly conflict: string; readonly key: keyof Row & string };
  /** Writes the rows in another way than by inserting them: SQL over the relation `rows`, which has the columns. */
  readonly write?: (rows: string) => string;
  /** Another statement, over what `write` returns. */
  readonly also?: (written: string) => string;
}

/**
 * What a grouped call needs to hold of one row that stands already, and what it changes of that row. Where it does not hold, the call is lost and nothing of
 * it is written. A row that somebody else holds at this moment counts as one that does not: a group waits for nobody.
 */
export interface Guard<Row extends Record<string, unknown> = Record<string, unknown>> {
  /** Names it among the parts of a statement. */
  readonly name: string;
  /** As those of a table. */
  readonly columns: AppendTable<Row>["columns"];
  /**
   * SQL over the relation `rows`, which has the columns and `claim`: answers of the calls that hold `claim`, and as `told` a text for the call, or null.
   * It takes its locks with `skip locked`.
   */
  readonly hold: (rows: string) => string;
}

/** Declares a guard. */
export function defineGuard<Row extends Record<string, unknown>>(guard: Guard<Row>): Guard<Row> {
  return guard;
}

/** Declares an append-only target; exactly the columns of `Row`. */
export function defineAppendTable<Row extends Record<string, unknown>>(table: AppendTable<Row>): AppendTable<Row> {
  return table;
}

interface Values {
  text: string;
  bytea: Buffer;
  int: number;
  bigint: number;
  smallint: number;
  boolean: boolean;
  float8: number;
  timestamptz: string;
}
type ValueOf<T extends string> = T extends `${infer Of}?`
  ? ValueOf<Of> | null
  : T extends `${infer Of}::${string}`
    ? ValueOf<Of>
    : T extends keyof Values
      ? Values[T]
      : never;

/** The row of columns that are written as `id text, title text?, labels text::text[]`: `?` may be null, `::` is cast to. */
export type RowOf<Columns> = Columns extends readonly [infer One, ...infer Rest]
  ? RowOf<One> & RowOf<Rest>
  : Columns extends `${infer One}, ${infer Rest}`
    ? RowOf<One> & RowOf<Rest>
    : Columns extends `${infer Name} ${infer Type}`
      ? { [K in Name]: ValueOf<Type> }
      : object;

type ColumnsOf<Columns> = readonly (readonly [keyof RowOf<Columns> & string, ColumnType, string?])[];

/** Columns of a {@link RowOf}, with those of the scope before them. */
export function columnsOf<const Columns extends string | readonly string[]>(columns: Columns): ColumnsOf<Columns> {
  const own = [columns].flat().flatMap((some: string) => some.split(", "));
  const parsed = own.map((column) => {
    const [, name, type, as] = /^(\w+) (\w+)\??(?:::(.+))?$/.exec(column) ?? [];
    return as === undefined ? [name, type] : [name, type, as];
  });
  return [["organization", "text"], ["environment", "text"], ...parsed] as unknown as ColumnsOf<Columns>;
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
