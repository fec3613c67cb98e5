import {
  all,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  remove,
  rowsOf,
  select,
  sql,
  update,
} from "../../../db/scoped.ts";
import { type Actor, storable } from "../../../kernel/actor.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { readerTokens, visible, visibleText } from "../access.ts";
import type { Looking, Seeing } from "../store.ts";

/** A connector as it is stored, its credentials sealed. */
export type ConnectorRow = Omit<Row<"knowledge_connectors">, "source"> & { source: object };

const connectors = (ctx: Looking) => select(ctx, "knowledge_connectors", "c").selectAll().$castTo<ConnectorRow>();
const attached = (ctx: Looking, base: string) =>
  connectors(ctx).where("c.base", "=", base).where("c.state", "!=", "removing");

/** Who may read what a connector brings, and who made it, may see it: it names its source. */
export const seenConnector = ({ principal }: Seeing) =>
  sql<boolean>`(${visible([readerTokens(principal)], "c.readers")} or c.author = ${principal.id})`;

/** A connector of a base by its id or its name, where the caller may see it. */
export async function findConnector(ctx: Seeing, base: string, idOrName: string): Promise<ConnectorRow | undefined> {
  if (!/^[^\0]{1,64}$/u.test(idOrName)) return undefined;
  return first(
    ctx,
    attached(ctx, base)
      .where((is) => is.or({ "c.id": idOrName, "c.name": idOrName }))
      .where(seenConnector(ctx)),
  );
}

/** A connector by its id, whatever its state; for machines. */
export const findConnectorById = (ctx: Looking, id: string): Promise<ConnectorRow | undefined> =>
  first(ctx, connectors(ctx).where("c.id", "=", id));

/** The same, locked until the transaction ends. */
export const lockConnector = (ctx: Looking, id: string): Promise<ConnectorRow | undefined> =>
  first(ctx, connectors(ctx).where("c.id", "=", id).forUpdate());

export const listConnectorRows = (ctx: Seeing, base: string, page: PageRequest): Promise<ConnectorRow[]> =>
  all(ctx, newestFirst(attached(ctx, base).where(seenConnector(ctx)), "c.id", page));

/** Those that run when the caller starts a sync of the whole base. */
export function listActiveConnectors(ctx: Seeing, base: string): Promise<ConnectorRow[]> {
  const active = connectors(ctx).where("c.base", "=", base).where("c.state", "=", "active");
  return all(ctx, active.where(seenConnector(ctx)).orderBy("c.id"));
}

/** Makes a connector, which acts as `actor`; undefined where the base has one of this name. */
export async function insertConnector(
  ctx: Looking,
  actor: Actor,
  row: Omit<NewRow<"knowledge_connectors">, "actor" | "author">,
): Promise<ConnectorRow | undefined> {
  const acting = { ...row, author: actor.owner, actor: storable(actor) };
  const made = insert(ctx, "knowledge_connectors", acting).onConflict((on) =>
    // Literal: a parameter in a plan that is kept would match no partial index.
    on.columns(["organization", "environment", "base", "name"]).where(sql<boolean>`state <> 'removing'`).doNothing(),
  );
  return first(ctx, made.returningAll().$castTo<ConnectorRow>());
}

type Changes = Partial<
  Omit<NewRow<"knowledge_connectors">, "id" | "base" | "name" | "kind" | "author" | "actor" | "created_at">
>;

export async function updateConnector(ctx: Looking, id: string, changes: Changes): Promise<ConnectorRow | undefined> {
  const changed = update(ctx, "knowledge_connectors")
    .set(changes as Record<string, never>)
    .where("id", "=", id);
  return first(ctx, changed.returningAll().$castTo<ConnectorRow>());
}

/** Has a connector act as `actor`, which starts it again where it was stopped. */
export const setActor = (
  ctx: Looking,
  id: string,
  actor: Actor,
  changes: Changes,
): Promise<ConnectorRow | undefined> => {
  const going = { actor: storable(actor), stopped_reason: null, stopped_at: null };
  return updateConnector(ctx, id, { ...changes, ...going } as Changes);
};

/** Gives the documents that a connector brought these readers: those with its former ones, and what else the caller may read. */
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

/** Lets the documents of a connector belong to nobody but their base. */
export const releaseDocuments = (ctx: Looking, connector: string): Promise<unknown> =>
  ctx.db.query(
    "update documents set connector = null where organization = $1 and environment = $2 and connector = $3",
    [ctx.scope.organization, ctx.scope.environment, connector],
  );

/** Some of the documents that a connector brought. */
export async function listBrought(ctx: Looking, connector: string, most: number): Promise<string[]> {
  const brought = select(ctx, "documents", "d").select("d.id").where("d.connector", "=", connector);
  return (await all(ctx, brought.limit(most))).map(({ id }) => id);
}

/** Forgets a connector and what it noted of its source. Its syncs stay. */
export async function deleteConnector(ctx: Looking, id: string): Promise<void> {
  // What could not be read is named like what could, and the connector no longer says who may see that.
  const syncs = select(ctx, "knowledge_syncs", "s").select("s.id").where("s.connector", "=", id);
  await all(ctx, remove(ctx, "knowledge_sync_failures").where("sync", "in", syncs));
  await all(ctx, remove(ctx, "knowledge_items").where("connector", "=", id));
  await all(ctx, remove(ctx, "knowledge_connectors").where("id", "=", id));
}

/** Stops what runs for a base that is being deleted, and forgets its credentials at once. */
export async function stopConnectorsOf(ctx: Looking, base: string, at: Date): Promise<void> {
  const error = JSON.stringify({ code: "base_deleted", detail: "The knowledge base was deleted while this sync ran." });
  const ended = update(ctx, "knowledge_syncs").set({ state: "failed", error, finished_at: at, lease_until: null });
  await all(ctx, ended.where("base", "=", base).where("state", "in", ["queued", "running"]));
  const stopped = { state: "paused", credentials: null, next_run_at: null } as const;
  await all(ctx, update(ctx, "knowledge_connectors").set(stopped).where("base", "=", base));
}

/** Forgets some of what the connectors of a deleted base noted, and at last them and their syncs. Returns how much; 0: nothing is left. */
export async function deleteConnectorsOf({ scope, db }: Looking, base: string, most: number): Promise<number> {
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

/** Connectors whose time has come, over all scopes. */
export const listDueConnectors = (db: Statements, most: number): Promise<ConnectorAddress[]> =>
  db.query(
    `select organization, environment, id from knowledge_connectors where state = 'active' and next_run_at <= now()
     order by next_run_at limit $1`,
    [most],
  );

/** Connectors whose documents are being deleted, and by whom nobody has heard for a while. */
export const listRemovingConnectors = (db: Statements, most: number): Promise<ConnectorAddress[]> =>
  db.query(
    `select organization, environment, id from knowledge_connectors
     where state = 'removing' and updated_at < now() - interval '20 seconds' order by updated_at limit $1`,
    [most],
  );

/** How many items each of these connectors brought that are still there, and that the caller may read. */
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
