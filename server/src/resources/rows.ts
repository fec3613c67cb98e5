import type { Tables } from "../db/generated/tables.ts";
import {
  all,
  type Compilable,
  first,
  type Insertable,
  insertReturning,
  newestFirst,
  type RawBuilder,
  type Row,
  readWritten,
  remove,
  type SelectQueryBuilder,
  select,
  sql,
  type TableName,
  type Taken,
  type Updateable,
  update as updateOf,
} from "../db/scoped.ts";
import type { WriteContext } from "../kernel/context.ts";
import type { QueryContext } from "../kernel/db.ts";
import type { PageRequest } from "../kernel/listing.ts";
import type { OwnedTable } from "./tables.ts";

/** Types of columns that hold JSON: `json<{ definition: Definition }>()("definition")`. */
export interface Json<J> {
  readonly columns: readonly string[];
  /** Never called: carries the types. */
  readonly types?: J;
}

/**
 * Declares what columns of JSON hold: objects or arrays, as `jsonb` or as text. The names are checked against the types, and all of them have to be named, but for `Plain` ones: columns of no
 * JSON of which the schema does not say all, such as a text that is one of a few.
 */
export const json =
  <J extends object, Plain extends keyof J = never>() =>
  <const C extends readonly (Exclude<keyof J, Plain> & string)[]>(
    ...columns: Exclude<keyof J, Plain> extends C[number] ? C : never
  ): Json<J> => ({ columns });

/** Columns that are computed where rows are read: SQL over the alias `r`, by name. */
export interface Computed<C> {
  readonly sql: { readonly [N in keyof C]: string };
}

/** Declares computed columns with their types: `computed<{ spent_usd: number }>({ spent_usd: "(select …)" })`. */
export const computed = <C extends object>(sql: { readonly [N in keyof C]: string }): Computed<C> => ({ sql });

export interface Limit<T extends TableName> {
  /** Rows that there may be. */
  readonly most: number;
  /** The name of the lock under which they are counted. Processes of two releases share it during an upgrade, so it stays. */
  readonly lock: string;
  /** Counted for each value of these columns; the environment as a whole by default. */
  readonly per?: readonly (keyof Tables[T] & string)[];
  /** SQL over the alias `r`: which of them count; all by default. */
  readonly counts?: string;
  /** The refusal of one more. */
  readonly refuse: (ctx: WriteContext, row: Readonly<Record<string, unknown>>) => Error;
}

export interface RowsSpec<T extends TableName, J extends object, C extends object> {
  readonly table: OwnedTable<T>;
  /** The column that names a row. */
  readonly key: keyof Tables[T] & string;
  /** Whether a text can be a key at all; what cannot is not looked for. */
  readonly isKey?: (text: string) => boolean;
  readonly json?: Json<J>;
  readonly computed?: Computed<C>;
  /** How rows are read, over the alias `r`, where joins or conditions are needed. Default: all columns, and what is computed. */
  readonly reads?: (ctx: QueryContext) => Query<StoredRow<T, J> & C>;
  readonly limit?: Limit<T>;
  /** The refusal of a new row whose key there is already; looked for before the limit, under its lock. */
  readonly taken?: (ctx: WriteContext, key: string) => Error;
}

type Scoped = "organization" | "environment";
/** A row as it is stored. */
export type StoredRow<T extends TableName, J extends object> = Omit<Row<T>, Scoped | keyof J> & J;
type NewOf<T extends TableName, J extends object> = OrSql<Omit<Insertable<Tables[T]>, Scoped | keyof J>> & Partial<J>;
type OrSql<V> = { readonly [N in keyof V]: V[N] | RawBuilder<unknown> };
type ChangesOf<T extends TableName, J extends object> = OrSql<Omit<Updateable<Tables[T]>, Scoped | keyof J>> &
  Partial<J>;
export type Query<R> = SelectQueryBuilder<{ r: R }, "r", R>;

type Narrow<T extends TableName, J extends object, C extends object> = (
  query: Query<StoredRow<T, J> & C>,
) => Query<StoredRow<T, J> & C>;

/** The rows of a table in the scope of a context. What is computed is read by `find`, `page` and after writing, and not by `lock`. */
export interface Rows<T extends TableName, J extends object, C extends object> {
  find(ctx: QueryContext, key: string): Promise<(StoredRow<T, J> & C) | undefined>;
  /** The first row under conditions over the alias `r`. */
  findBy(ctx: QueryContext, narrow: Narrow<T, J, C>): Promise<(StoredRow<T, J> & C) | undefined>;
  /** The rows under conditions over the alias `r`. */
  list(ctx: QueryContext, narrow: Narrow<T, J, C>): Promise<(StoredRow<T, J> & C)[]>;
  /** The row, locked until the transaction ends. */
  lock(ctx: WriteContext, key: string): Promise<StoredRow<T, J> | undefined>;
  /** Adds a row and returns it. Throws the refusal of the limit. */
  insert(ctx: WriteContext, row: NewOf<T, J>): Promise<StoredRow<T, J> & C>;
  /** As `insert`; undefined where another row has its key or its name. */
  insertUnlessTaken(ctx: WriteContext, row: NewOf<T, J>): Promise<(StoredRow<T, J> & C) | undefined>;
  /** Adds a row, or makes these changes to the one that has its key. */
  put(ctx: WriteContext, row: NewOf<T, J>, changes: ChangesOf<T, J>): Promise<StoredRow<T, J> & C>;
  /** Changes a row and returns it; undefined where it is gone, which a row that the call has locked cannot be. */
  update(ctx: WriteContext, locked: StoredRow<T, J>, changes: ChangesOf<T, J>): Promise<StoredRow<T, J> & C>;
  update(ctx: WriteContext, key: string, changes: ChangesOf<T, J>): Promise<(StoredRow<T, J> & C) | undefined>;
  /** As `update`, for what people set: counts `revision` and notes `updated_at`. */
  revise(ctx: WriteContext, key: string, changes: ChangesOf<T, J>): Promise<(StoredRow<T, J> & C) | undefined>;
  /** Deletes a row. Returns whether it was there. */
  remove(ctx: WriteContext, key: string): Promise<boolean>;
  /** A page by key, the newest first; `narrow` adds conditions over the alias `r`. */
  page(ctx: QueryContext, page: PageRequest, narrow?: Narrow<T, J, C>): Promise<(StoredRow<T, J> & C)[]>;
}

/** Declares how the rows of a table are read and written. */
export function defineRows<T extends TableName, J extends object = object, C extends object = object>({
  table: { table },
  key,
  isKey = () => true,
  json: { columns: jsonColumns } = { columns: [] },
  computed: derived,
  reads,
  limit,
  taken,
}: RowsSpec<T, J, C>): Rows<T, J, C> {
  type R = StoredRow<T, J> & C;
  const columns = columnsWith(derived);
  const many = async (ctx: QueryContext, query: Compilable<unknown>): Promise<R[]> =>
    (await all(ctx, query)).map((row) => parsed(row as object, jsonColumns) as R);
  const one = async (ctx: QueryContext, query: Compilable<unknown>): Promise<R | undefined> =>
    (await many(ctx, query))[0];
  const rows = (ctx: QueryContext): Query<R> =>
    reads?.(ctx) ?? (select(ctx, table, "r").select(columns as never) as unknown as Query<R>);
  const byKey = (query: Query<R>, value: string) => query.where(`r.${key}` as never, "=", value as never);
  const keyOf = (row: object): string => (row as Given)[key] as string;
  const written = async (ctx: QueryContext, write: Compilable<unknown>): Promise<R | undefined> => {
    const [row] = await readWritten(ctx, table, write.compile(), rows(ctx).compile());
    return row && (parsed(row, jsonColumns) as R);
  };
  const update = (ctx: QueryContext, of: string | StoredRow<T, J>, changes: object): Promise<R | undefined> => {
    const changed = updateOf(ctx, table).set(stored(changes, jsonColumns) as never);
    const value = typeof of === "string" ? of : keyOf(of);
    return written(ctx, changed.where(key as never, "=", value as never).returningAll());
  };
  const insert = async (ctx: WriteContext, row: object, unlessTaken?: Taken): Promise<R | undefined> => {
    if (limit) await lockLimit(ctx, limit, row as Given);
    if (taken && (await one(ctx, byKey(rows(ctx), keyOf(row))))) throw taken(ctx, keyOf(row));
    if (limit) await refuseBeyond(ctx, table, limit, row as Given);
    return written(ctx, insertReturning(ctx, table, stored(row, jsonColumns), unlessTaken));
  };
  return {
    find: async (ctx, value) => (isKey(value) ? one(ctx, byKey(rows(ctx), value)) : undefined),
    lock: async (ctx, value) => {
      const own = select(ctx, table, "r").selectAll() as unknown as Query<R>;
      return isKey(value) ? one(ctx, byKey(own, value).forUpdate()) : undefined;
    },
    findBy: (ctx, narrow) => one(ctx, narrow(rows(ctx))),
    list: (ctx, narrow) => many(ctx, narrow(rows(ctx))),
    insert: (ctx, row) => insert(ctx, row) as Promise<R>,
    insertUnlessTaken: (ctx, row) => insert(ctx, row, "leave out"),
    put: (ctx, row, changes) => insert(ctx, row, { key, changes: stored(changes, jsonColumns) }) as Promise<R>,
    update: update as Rows<T, J, C>["update"],
    revise: (ctx, value, changes) =>
      update(ctx, value, { revision: sql`revision + 1`, ...changes, updated_at: new Date(ctx.now) }),
    remove: async (ctx, value) => {
      const gone = remove(ctx, table).where(key as never, "=", value as never);
      return (await first(ctx, gone.returning(sql<number>`1`.as("one")))) !== undefined;
    },
    page: (ctx, page, narrow = (query) => query) => many(ctx, newestFirst(narrow(rows(ctx)), `r.${key}`, page)),
  };
}

type Given = Readonly<Record<string, unknown>>;

/** All columns, and those that are computed. */
function columnsWith(derived: Computed<object> | undefined): RawBuilder<unknown> {
  const computedOnes = Object.entries((derived?.sql ?? {}) as Readonly<Record<string, string>>);
  return sql.join([sql.raw("r.*"), ...computedOnes.map(([name, text]) => sql.raw(`${text} as ${name}`))]);
}

/** An object with some members replaced, where they are there. */
function changed(values: object, names: readonly string[], change: (value: unknown) => unknown): object {
  const there = Object.entries(values).filter(([name]) => names.includes(name));
  return there.length === 0 ? values : { ...values, ...Object.fromEntries(there.map(([n, v]) => [n, change(v)])) };
}

/** Values as they are stored: JSON as text. */
const stored = (values: object, names: readonly string[]): object =>
  changed(values, names, (value) => value && JSON.stringify(value));

/** A row whose JSON that is stored as text is parsed. */
const parsed = (row: object, names: readonly string[]): object =>
  changed(row, names, (value) => (typeof value === "string" ? JSON.parse(value) : value));

/** Nobody adds a row that counts for the same limit until the transaction ends. */
async function lockLimit<T extends TableName>(ctx: WriteContext, { lock, per = [] }: Limit<T>, row: Given) {
  const { organization, environment } = ctx.scope;
  const name = [lock, organization, environment, ...per.map((column) => row[column])].join(" ");
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
}

async function refuseBeyond<T extends TableName>(
  ctx: WriteContext,
  table: T,
  { most, per = [], counts = "true", refuse }: Limit<T>,
  row: Given,
): Promise<void> {
  const counted = per.reduce(
    (query, column) => query.where(`r.${column}` as never, "=", row[column] as never),
    select(ctx, table, "r").select(sql<number>`count(*)::int`.as("count")).where(sql.raw<boolean>(counts)),
  );
  if (((await first(ctx, counted)) as { count: number }).count >= most) throw refuse(ctx, row);
}
