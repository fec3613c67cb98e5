import { all, remove, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import { seal, unseal } from "../../../db/secrets.ts";
import { type Actor, storable } from "../../../kernel/actor.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import type { Query } from "../../../resources/rows.ts";
import { readerTokens, visible, visibleText } from "../access.ts";
import type { Seeing } from "../bases/lookup-store.ts";
import { type ConnectorRow, connectorRows } from "./resource.ts";

type ConnectorQuery = Query<ConnectorRow>;
/** For its readers and its author: it names its source. `alias` of connectors. */
export const seenConnector = ({ principal }: Seeing, alias: "r" | "c") =>
  sql<boolean>`(${visible([readerTokens(principal)], `${alias}.readers`)} or ${sql.ref(`${alias}.author`)} = ${principal.id})`;

/** Those that the caller may see. */
export const seenOf = (ctx: Seeing, base: string, query: ConnectorQuery): ConnectorQuery =>
  query.where("r.base", "=", base).where("r.state", "!=", "removing").where(seenConnector(ctx, "r"));

/** By id or name, where the caller may see it. */
export async function findConnector(ctx: Seeing, base: string, idOrName: string): Promise<ConnectorRow | undefined> {
  if (!/^[^\0]{1,64}$/u.test(idOrName)) return undefined;
  return connectorRows.findBy(ctx, (query) =>
    seenOf(ctx, base, query).where((is) => is.or([is("r.id", "=", idOrName), is("r.name", "=", idOrName)])),
  );
}

export const listActiveConnectors = (ctx: Seeing, base: string): Promise<ConnectorRow[]> =>
  connectorRows.list(ctx, (query) => seenOf(ctx, base, query).where("r.state", "=", "active").orderBy("r.id"));

/** Starts it again if it was stopped. */
export const inNameOf = (actor: Actor) => ({ actor: storable(actor), stopped_reason: null, stopped_at: null });

/** Those with its former readers, and others that the caller may read. */
export async function setReaders(
  ctx: Seeing,
  { id, readers: former }: Pick<ConnectorRow, "id" | "readers">,
  readers: readonly string[] | null,
): Promise<void> {
  const { organization, environment } = ctx.scope;
  const values: unknown[] = [organization, environment, id, readers, former];
  const seen = visibleText([readerTokens(ctx.principal)], ["readers"], (value) => `$${values.push(value)}`);
  await ctx.db.query(
    `update documents set readers = $4::text[] where organization = $1 and environment = $2 and connector = $3
       and (readers is not distinct from $5::text[] or ${seen})`,
    values,
  );
}

export const releaseDocuments = (ctx: QueryContext, connector: string): Promise<unknown> =>
  ctx.db.query(
    "update documents set connector = null where organization = $1 and environment = $2 and connector = $3",
    [ctx.scope.organization, ctx.scope.environment, connector],
  );

export async function listBrought(ctx: QueryContext, connector: string, most: number): Promise<string[]> {
  const brought = select(ctx, "documents", "d").select("d.id").where("d.connector", "=", connector);
  return (await all(ctx, brought.limit(most))).map(({ id }) => id);
}

/** Its syncs stay. */
export async function deleteConnector(ctx: QueryContext, id: string): Promise<void> {
  // What could not be read is named like what could, and the connector no longer says who may see that.
  const syncs = select(ctx, "knowledge_syncs", "s").select("s.id").where("s.connector", "=", id);
  await all(ctx, remove(ctx, "knowledge_sync_failures").where("sync", "in", syncs));
  await all(ctx, remove(ctx, "knowledge_items").where("connector", "=", id));
  await all(ctx, remove(ctx, "knowledge_connectors").where("id", "=", id));
}

export async function stopConnectorsOf(ctx: QueryContext, base: string, at: Date): Promise<void> {
  const error = JSON.stringify({ code: "base_deleted", detail: "The knowledge base was deleted while this sync ran." });
  const ended = update(ctx, "knowledge_syncs").set({ state: "failed", error, finished_at: at, lease_until: null });
  await all(ctx, ended.where("base", "=", base).where("state", "in", ["queued", "running"]));
  const stopped = { state: "paused", credentials: null, next_run_at: null } as const;
  await all(ctx, update(ctx, "knowledge_connectors").set(stopped).where("base", "=", base));
}

/** In steps; returns how many rows, 0 at the end. */
export async function deleteConnectorsOf({ scope, db }: QueryContext, base: string, most: number): Promise<number> {
  const here = [scope.organization, scope.environment, base];
  const noted = [
    { table: "knowledge_items", by: "connector", of: "knowledge_connectors" },
    { table: "knowledge_sync_failures", by: "sync", of: "knowledge_syncs" },
  ];
  for (const { table, by, of } of noted) {
    const gone = await db.query(
      `delete from ${table} where (organization, environment, ${by}, item) in (
         select n.organization, n.environment, n.${by}, n.item from ${of} o
         join ${table} n on n.organization = o.organization and n.environment = o.environment and n.${by} = o.id
         where o.organization = $1 and o.environment = $2 and o.base = $3 limit $4)
       returning 1`,
      [...here, most],
    );
    if (gone.length > 0) return gone.length;
  }
  for (const table of ["knowledge_syncs", "knowledge_connectors"])
    await db.query(`delete from ${table} where organization = $1 and environment = $2 and base = $3`, here);
  return 0;
}

export interface ConnectorAddress extends Scope {
  readonly id: string;
}

/** Over all scopes. */
export const listDueConnectors = (db: Statements, most: number): Promise<ConnectorAddress[]> =>
  db.query(
    `select organization, environment, id from knowledge_connectors where state = 'active' and next_run_at <= now()
     order by next_run_at limit $1`,
    [most],
  );

/** Over all scopes, without progress for a while. */
export const listRemovingConnectors = (db: Statements, most: number): Promise<ConnectorAddress[]> =>
  db.query(
    `select organization, environment, id from knowledge_connectors
     where state = 'removing' and updated_at < now() - interval '20 seconds' order by updated_at limit $1`,
    [most],
  );

export async function countItems(ctx: Seeing, connectorIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await all(
    ctx,
    select(ctx, "knowledge_items", "i")
      .innerJoin(rowsOf(ctx, "documents", "d"), "d.id", "i.document")
      .where(visible([readerTokens(ctx.principal)], "d.readers"))
      .select(["i.connector", sql<number>`count(*)::int`.as("n")])
      .where("i.connector", "=", sql<string>`any(${connectorIds}::text[])`)
      .groupBy("i.connector"),
  );
  return new Map(rows.map(({ connector, n }) => [connector, n]));
}

const contextOf = ({ organization, environment }: Scope, connector: string): string =>
  `connector ${organization} ${environment} ${connector}`;

/** Bound to their connector, so that they open in no other row. */
export const sealCredentials = (key: Buffer, scope: Scope, connector: string, credentials: object): Buffer =>
  seal(key, Buffer.from(JSON.stringify(credentials)), contextOf(scope, connector));

/** Throws if the key does not open them. */
export function openCredentials(key: Buffer, scope: Scope, connector: string, sealed: Buffer | null): unknown {
  if (sealed === null) return null;
  const plain = unseal(key, sealed, contextOf(scope, connector));
  if (plain === undefined)
    throw new Error(`the credentials of the connector ${connector} do not open under the credential key`);
  return parseJson(plain.toString());
}
