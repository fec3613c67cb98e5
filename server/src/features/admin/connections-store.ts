import { all, first, insert, type Row, remove, select, sql, update } from "../../db/scoped.ts";
import { seal, unseal } from "../../db/secrets.ts";
import { decidersOf, storableDeciders, unite } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Scope } from "../../kernel/principal.ts";
import { countedDeciders, digestOfContent } from "./confirmations.ts";
import { connectionContent, connectionObject } from "./connection-content.ts";
import { connectionFacts } from "./connection-facts.ts";
import { baseUrlOf, lastFourOf, type OpenConnection } from "./connections-model.ts";
import {
  type AddConnectionBody,
  type ConnectionKind,
  type ConnectionTest,
  type ConnectionUse,
  connectionNamePattern,
} from "./connections-schemas.ts";

/** A connection, its secret sealed. `test`: JSON of its last test. */
export type ConnectionRow = Row<"connections">;

const connectionByName = defineLoader<ConnectionRow>(
  "connection by name",
  "select *, name as loader_key from connections where organization = $1 and environment = $2 and name = any($3::text[])",
);

const canBeName = new RegExp(connectionNamePattern);

export async function findConnectionRow(
  ctx: ReadContext | WriteContext,
  name: string,
): Promise<ConnectionRow | undefined> {
  return canBeName.test(name) ? ctx.db.load(connectionByName, ctx.scope, name) : undefined;
}

/** A page of connections, newest first. */
export async function listConnectionRows(
  ctx: ReadContext,
  kinds: readonly ConnectionKind[] | undefined,
  { after, take }: PageRequest,
): Promise<ConnectionRow[]> {
  const query = select(ctx, "connections", "c")
    .selectAll()
    .$if(kinds !== undefined, (q) => q.where("c.kind", "in", kinds ?? []))
    .$if(after !== undefined, (q) => {
      const behind = sql<boolean>`(c.created_at, c.name) < (${new Date(Number(after?.keys[0]))}, ${after?.id}::text collate "C")`;
      return q.where(behind);
    });
  return all(ctx, query.orderBy("c.created_at", "desc").orderBy("c.name", "desc").limit(take));
}

/** Those of these names that connections of the environment have. */
export async function presentConnections(
  ctx: Pick<ReadContext, "scope" | "db">,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const query = select(ctx, "connections", "c")
    .select("c.name")
    .where("c.name", "in", [...names]);
  return new Set((await all(ctx, query)).map(({ name }) => name));
}

/** Locks the connection of a name until the transaction ends. Returns false if there is none. */
export async function lockConnection(ctx: WriteContext, name: string): Promise<boolean> {
  const query = select(ctx, "connections", "c").select("c.name").where("c.name", "=", name);
  return (await first(ctx, query.forUpdate())) !== undefined;
}

/** Adds a connection or, with `replace`, replaces the one of that name and forgets its last test. Returns false if there is one that may not be replaced. */
export async function putConnection(ctx: WriteContext, body: AddConnectionBody, key: Buffer): Promise<boolean> {
  const { name, kind, base_url = null, secret, auth, replace = false } = body;
  const said = {
    kind,
    base_url,
    scheme: kind === "http" ? (auth?.scheme ?? "bearer") : null,
    header: auth?.header ?? null,
    secret: secret === undefined ? null : seal(key, Buffer.from(secret), contextOf(ctx.scope, name)),
  };
  const before = replace ? await lockConnectionRow(ctx, name) : undefined;
  const earlier = before ? await countedDeciders(ctx, connectionContent(before)) : [];
  const content = {
    ...said,
    last_four: lastFourOf(secret),
    changed_at: new Date(ctx.now),
    digest: digestOfContent({ ...said, secret: said.secret?.toString("base64") ?? null }),
    deciders: storableDeciders(unite(earlier, decidersOf(ctx, "connection", connectionObject(name)))),
  };
  const row = { ...content, name, created_by: ctx.principal.id, created_at: content.changed_at };
  const query = insert(ctx, "connections", row).onConflict((on) => {
    const named = on.columns(["organization", "environment", "name"]);
    return replace ? named.doUpdateSet({ ...content, test: null }) : named.doNothing();
  });
  ctx.touch(connectionFacts);
  return (await all(ctx, query.returning("name"))).length > 0;
}

const lockConnectionRow = (ctx: WriteContext, name: string): Promise<ConnectionRow | undefined> =>
  first(ctx, select(ctx, "connections", "c").selectAll().where("c.name", "=", name).forUpdate());

/** Stores the result of a test, unless the connection was replaced or removed meanwhile. */
export async function keepTest(
  ctx: WriteContext,
  { name, changed_at }: ConnectionRow,
  test: ConnectionTest,
): Promise<void> {
  const query = update(ctx, "connections").set({ test: JSON.stringify(test) });
  await all(ctx, query.where("name", "=", name).where("changed_at", "=", changed_at));
}

export async function deleteConnection(ctx: WriteContext, name: string): Promise<void> {
  ctx.touch(connectionFacts);
  await all(ctx, remove(ctx, "connections").where("name", "=", name));
}

/** The drafts, and the versions that run in the environment, that name these connections. */
export async function findUses(
  ctx: ReadContext | WriteContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, ConnectionUse[]>> {
  const rows = await ctx.db.query<ConnectionUse & { connection: string }>(
    `with definitions as (
       select a.name as agent, null::int as version, a.draft as definition from agents a where a.organization = $1 and a.archived_at is null
       union all
       select d.agent, v.number, v.definition from deployments d
         join agent_versions v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
       where d.organization = $1 and d.environment = $2 and d.state in ('live', 'canary', 'shadow')),
     uses as (
       select agent, version, 'model' as place, definition #>> '{model,connection}' as connection from definitions
       union all
       select agent, version, 'tool ' || (tool ->> 'name'), tool ->> 'connection' from definitions,
         jsonb_array_elements(case when jsonb_typeof(definition -> 'tools') = 'array' then definition -> 'tools' else '[]' end) as tool)
     select connection, agent, version, place from uses where connection = any($3::text[]) order by agent, version nulls first, place`,
    [ctx.scope.organization, ctx.scope.environment, names],
  );
  const uses = new Map<string, ConnectionUse[]>();
  for (const { connection, ...use } of rows) uses.set(connection, [...(uses.get(connection) ?? []), use]);
  return uses;
}

/** The connection of a name with its secret. Throws if the credential key does not open the secret. */
export async function openConnection(
  db: Pick<Reader, "query">,
  key: Buffer,
  scope: Scope,
  name: string,
): Promise<OpenConnection | undefined> {
  const row = await first({ db }, select({ scope }, "connections", "c").selectAll().where("c.name", "=", name));
  return row && opened(row, key, scope);
}

export function opened(
  { name, kind, base_url, scheme, header, secret }: ConnectionRow,
  key: Buffer,
  scope: Scope,
): OpenConnection {
  const plain = secret === null ? null : unseal(key, secret, contextOf(scope, name));
  if (plain === undefined)
    throw new Error(`the secret of the connection ${name} does not open under the credential key`);
  const baseUrl = baseUrlOf(kind, base_url) as string; // a kind without a default address is not added without one
  return { name, kind, baseUrl, auth: scheme === null ? null : { scheme, header }, secret: plain?.toString() ?? null };
}

const contextOf = ({ organization, environment }: Scope, name: string): string =>
  `connection ${organization} ${environment} ${name}`;
