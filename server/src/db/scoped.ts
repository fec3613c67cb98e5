import {
  type AliasedExpression,
  type Compilable,
  type DeleteQueryBuilder,
  type DeleteResult,
  DummyDriver,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Selectable,
  type SelectQueryBuilder,
  type UpdateObject,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import type { QueryContext } from "../kernel/db.ts";
import type { PageRequest } from "../kernel/listing.ts";
import type { Scope } from "../kernel/principal.ts";
import { sharedByEnvironments, type Tables } from "./generated/tables.ts";
import { SharedRows } from "./shared-rows.ts";

export type { Compilable, Insertable, RawBuilder, SelectQueryBuilder, Updateable } from "kysely";
export { sql } from "kysely";

// Typed SQL whose scope is added here and nowhere else: what a store selects from, joins and writes is made by these functions, which take the scope.
// A builder that reaches a table by its name is not exported, so a statement without organization and environment does not compile.

/** Whose rows, such as the context of a call. */
interface Scoped {
  readonly scope: Scope;
}

/** A table that belongs to an organization, and to an environment unless all environments share it. */
export type TableName = { [T in keyof Tables]: "organization" extends keyof Tables[T] ? T : never }[keyof Tables];
type Only<T extends TableName> = Pick<Tables, T>;
/** What is written into a new row; the scope comes by itself. */
export type NewRow<T extends TableName> = Omit<Insertable<Tables[T]>, "organization" | "environment">;
/** What is written into a row that stands. */
export type Changes<T extends TableName> = UpdateObject<Pick<Tables, T>, T>;
/** The name of one's own table, or what the owner of another shares of it. */
type Readable = TableName | SharedRows;
/** A row as it is read; of another's table, by what its owner shares: `Row<typeof memberRows>`. */
export type Row<R extends Readable> =
  R extends SharedRows<infer S> ? S : R extends TableName ? Selectable<Tables[R]> : never;

const tables = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const columnsOf = (table: TableName, { organization, environment }: Scope): Readonly<Record<string, string>> =>
  sharedByEnvironments.has(table) ? { organization } : { organization, environment };

interface Where {
  where(column: string, operator: "=", value: string): unknown;
}

/** Adds the scope to a statement over one table. */
function inScope<Q>(query: Q, table: TableName, scope: Scope): Q {
  const add = (one: unknown, [column, value]: [string, string]) => (one as Where).where(column, "=", value);
  return Object.entries(columnsOf(table, scope)).reduce(add, query as unknown) as Q;
}

/**
 * The rows of a table in the scope, to be joined: `.leftJoin(rowsOf(ctx, "webhook_health", "h"), "h.webhook_id", "w.id")`. PostgreSQL plans it as if the
 * predicate stood in the statement itself.
 */
export function rowsOf<R extends Readable, A extends string>(
  { scope }: Scoped,
  from: R,
  alias: A,
): AliasedExpression<Row<R>, A> {
  const shared = from instanceof SharedRows ? from : undefined;
  const table = (shared?.table ?? from) as TableName;
  const some = tables.selectFrom(table as "webhooks");
  const query = (shared ? some.select(shared.columns as never) : some.selectAll()) as unknown as {
    as(name: A): AliasedExpression<Row<R>, A>;
  };
  return inScope(query, table, scope).as(alias);
}

/**
 * Selects from a table in the scope: `select(ctx, "webhooks", "w").select(["w.id", "w.url"]).where("w.state", "=", "enabled")`; of another's table from what its owner shares:
 * `select(ctx, memberRows, "m")`.
 */
export function select<R extends Readable, A extends string>(
  ctx: Scoped,
  table: R,
  alias: A,
): SelectQueryBuilder<{ [name in A]: Row<R> }, A, object> {
  const from = rowsOf(ctx, table, alias);
  return tables.selectFrom(from as AliasedExpression<object, "x">) as unknown as ReturnType<typeof select<R, A>>;
}

/** Inserts rows into a table in the scope. */
export function insert<T extends TableName>(
  { scope }: Scoped,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
): InsertQueryBuilder<Only<T>, T, InsertResult> {
  const values = [rows].flat().map((row) => ({ ...columnsOf(table, scope), ...(row as object) }));
  const query = tables.insertInto(table as "webhooks").values(values as never);
  return query as unknown as InsertQueryBuilder<Only<T>, T, InsertResult>;
}

/** What becomes of a new row whose key or name another row has; without it the statement fails. */
export type Taken = "leave out" | { readonly key: string; readonly changes: object };

/** Inserts a row into a table in the scope and returns it, unless another row has its key or name and `taken` says to leave it out. */
export function insertReturning(scoped: Scoped, table: TableName, row: object, taken?: Taken): Compilable<unknown> {
  const query = insert(scoped, table as "webhooks", row as never);
  if (taken === undefined) return query.returningAll();
  if (taken === "leave out") return query.onConflict((on) => on.doNothing()).returningAll();
  const unique = [...Object.keys(columnsOf(table, scoped.scope)), taken.key] as "id"[];
  return query.onConflict((on) => on.columns(unique).doUpdateSet(taken.changes as never)).returningAll();
}

/** Updates rows of a table in the scope. */
export function update<T extends TableName>(
  { scope }: Scoped,
  table: T,
): UpdateQueryBuilder<Only<T>, T, T, UpdateResult> {
  const query = tables.updateTable(table as "webhooks") as unknown as UpdateQueryBuilder<Only<T>, T, T, UpdateResult>;
  return inScope(query, table, scope);
}

/** Deletes rows of a table in the scope. */
export function remove<T extends TableName>({ scope }: Scoped, table: T): DeleteQueryBuilder<Only<T>, T, DeleteResult> {
  const query = tables.deleteFrom(table as "webhooks") as unknown as DeleteQueryBuilder<Only<T>, T, DeleteResult>;
  return inScope(query, table, scope);
}

/** Carries a statement out. Returns its rows. */
export async function all<R>({ db }: Pick<QueryContext, "db">, query: Compilable<R>): Promise<R[]> {
  const { sql, parameters } = query.compile();
  return (await db.query(sql, parameters)) as R[];
}

/** Carries a statement out. Returns its first row, or undefined. */
export async function first<R>(ctx: Pick<QueryContext, "db">, query: Compilable<R>): Promise<R | undefined> {
  return (await all(ctx, query))[0];
}

/** SQL with `$1`, `$2`, … and their values, as a builder compiles to. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * Writes to a table and reads a view of what was written, in one statement. Wherever `view` names the table, it reads the rows that `write` returns and no others; other
 * tables it reads as they were before. Returns the rows of the view.
 */
export function readWritten<R extends object>(
  { db }: Pick<QueryContext, "db">,
  table: TableName,
  write: Statement,
  view: Statement,
): Promise<R[]> {
  const before = view.parameters.length;
  const text = write.sql.replaceAll(/\$(\d+)/g, (_all, place: string) => `$${before + Number(place)}`);
  return db.query<R>(`with ${table} as (${text}) ${view.sql}`, [...view.parameters, ...write.parameters]);
}

/** The page of a list that is sorted by id, newest first: `newestFirst(select(ctx, "webhooks", "w"), "w.id", page)`. */
export function newestFirst<Q>(query: Q, id: string, { after, take }: PageRequest): Q {
  const some = query as unknown as SelectQueryBuilder<Record<string, Record<string, string>>, string, object>;
  const rest = after === undefined ? some : some.where(id, "<", after.id);
  return rest.orderBy(id, "desc").limit(take) as unknown as Q;
}
