import {
  all,
  first,
  insert,
  type NewRow,
  newestFirst,
  type Row,
  remove,
  select,
  sql,
  update,
} from "../../../db/scoped.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { Looking } from "../store.ts";

/** A connector as it is stored, its credentials sealed. */
export type ConnectorRow = Omit<Row<"knowledge_connectors">, "source"> & { source: object };

const connectors = (ctx: Looking) => select(ctx, "knowledge_connectors", "c").selectAll().$castTo<ConnectorRow>();
const attached = (ctx: Looking, base: string) =>
  connectors(ctx).where("c.base", "=", base).where("c.state", "!=", "removing");

/** A connector of a base by its id or its name. */
export async function findConnector(ctx: Looking, base: string, idOrName: string): Promise<ConnectorRow | undefined> {
  if (!/^[^\0]{1,64}$/u.test(idOrName)) return undefined;
  return first(
    ctx,
    attached(ctx, base).where((is) => is.or({ "c.id": idOrName, "c.name": idOrName })),
  );
}

/** A connector by its id, whatever its state; for machines. */
export const findConnectorById = (ctx: Looking, id: string): Promise<ConnectorRow | undefined> =>
  first(ctx, connectors(ctx).where("c.id", "=", id));

/** The same, locked until the transaction ends. */
export const lockConnector = (ctx: Looking, id: string): Promise<ConnectorRow | undefined> =>
  first(ctx, connectors(ctx).where("c.id", "=", id).forUpdate());

export const listConnectorRows = (ctx: Looking, base: string, page: PageRequest): Promise<ConnectorRow[]> =>
  all(ctx, newestFirst(attached(ctx, base), "c.id", page));

/** Those that run when a sync of the whole base is started. */
export const listActiveConnectors = (ctx: Looking, base: string): Promise<ConnectorRow[]> =>
  all(ctx, connectors(ctx).where("c.base", "=", base).where("c.state", "=", "active").orderBy("c.id"));

/** Makes a connector; undefined where the base has one of this name. */
export async function insertConnector(
  ctx: Looking,
  row: NewRow<"knowledge_connectors">,
): Promise<ConnectorRow | undefined> {
  const made = insert(ctx, "knowledge_connectors", row).onConflict((on) =>
    // Literal: a parameter in a plan that is kept would match no partial index.
    on.columns(["organization", "environment", "base", "name"]).where(sql<boolean>`state <> 'removing'`).doNothing(),
  );
  return first(ctx, made.returningAll().$castTo<ConnectorRow>());
}

type Changes = Partial<Omit<NewRow<"knowledge_connectors">, "id" | "base" | "name" | "kind" | "author" | "created_at">>;

export async function updateConnector(ctx: Looking, id: string, changes: Changes): Promise<ConnectorRow | undefined> {
  const changed = update(ctx, "knowledge_connectors")
    .set(changes as Record<string, never>)
    .where("id", "=", id);
  return first(ctx, changed.returningAll().$castTo<ConnectorRow>());
}

/** Gives all documents that a connector brought these readers. */
export const setReaders = (ctx: Looking, connector: string, readers: readonly string[] | null): Promise<unknown> =>
  ctx.db.query(
    "update documents set readers = $4::text[] where organization = $1 and environment = $2 and connector = $3",
    [ctx.scope.organization, ctx.scope.environment, connector, readers],
  );

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
  await all(ctx, remove(ctx, "knowledge_items").where("connector", "=", id));
  await all(ctx, remove(ctx, "knowledge_connectors").where("id", "=", id));
}

/** Forgets all of a base's connectors and syncs, for the deletion of the base. */
export async function deleteConnectorsOf(ctx: Looking, base: string): Promise<void> {
  const { organization, environment } = ctx.scope;
  const here = [organization, environment, base];
  await ctx.db.query(
    `delete from knowledge_items i using knowledge_connectors c where c.organization = $1 and c.environment = $2 and c.base = $3
       and i.organization = $1 and i.environment = $2 and i.connector = c.id`,
    here,
  );
  await ctx.db.query(
    `delete from knowledge_sync_failures f using knowledge_syncs s where s.organization = $1 and s.environment = $2 and s.base = $3
       and f.organization = $1 and f.environment = $2 and f.sync = s.id`,
    here,
  );
  await all(ctx, remove(ctx, "knowledge_syncs").where("base", "=", base));
  await all(ctx, remove(ctx, "knowledge_connectors").where("base", "=", base));
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
     where state = 'removing' and updated_at < now() - interval '30 seconds' order by updated_at limit $1`,
    [most],
  );

/** How many items each of these connectors brought that are still there. */
export async function countItems(ctx: Looking, connectorIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await all(
    ctx,
    select(ctx, "knowledge_items", "i")
      .select(["i.connector", sql<number>`count(*)::int`.as("n")])
      .where("i.connector", "=", sql<string>`any(${connectorIds}::text[])`)
      .groupBy("i.connector"),
  );
  return new Map(rows.map(({ connector, n }) => [connector, n]));
}
