import { seal, unseal } from "../../db/secrets.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader, type Reader } from "../../kernel/db.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Scope } from "../../kernel/principal.ts";
import { baseUrlOf, lastFourOf, type OpenConnection } from "./connections-model.ts";
import {
  type AddConnectionBody,
  type AuthScheme,
  type ConnectionKind,
  type ConnectionTest,
  type ConnectionUse,
  connectionNamePattern,
} from "./connections-schemas.ts";

/** A connection as it is stored, its secret sealed. */
export interface ConnectionRow {
  name: string;
  kind: ConnectionKind;
  base_url: string | null;
  scheme: AuthScheme | null;
  header: string | null;
  secret: Buffer | null;
  last_four: string | null;
  created_by: string;
  created_at: Date;
  changed_at: Date;
  /** JSON of what the last test came to. */
  test: string | null;
}

const columns = "name, kind, base_url, scheme, header, secret, last_four, created_by, created_at, changed_at, test";

const connectionByName = defineLoader<ConnectionRow>(
  "connection by name",
  `select name as loader_key, ${columns} from connections where organization = $1 and environment = $2 and name = any($3::text[])`,
);

const canBeName = new RegExp(connectionNamePattern);

/** One connection of the call's environment. */
export async function findConnectionRow(
  ctx: ReadContext | WriteContext,
  name: string,
): Promise<ConnectionRow | undefined> {
  return canBeName.test(name) ? ctx.db.load(connectionByName, ctx.scope, name) : undefined;
}

/** A page of connections, newest first. */
export async function listConnectionRows(
  ctx: ReadContext,
  kinds: readonly ConnectionKind[] | null,
  page: PageRequest,
): Promise<ConnectionRow[]> {
  const after = page.after === undefined ? null : new Date(Number(page.after.keys[0]));
  return ctx.db.query<ConnectionRow>(
    `select ${columns} from connections
     where organization = $1 and environment = $2 and ($3::text[] is null or kind = any($3))
       and ($4::timestamptz is null or (created_at, name) < ($4, $5::text collate "C"))
     order by created_at desc, name desc limit $6`,
    [ctx.scope.organization, ctx.scope.environment, kinds, after, page.after?.id ?? null, page.take],
  );
}

/** Locks the connection of a name until the transaction ends; false: there is none. */
export async function lockConnection(ctx: WriteContext, name: string): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query(
    "select name from connections where organization = $1 and environment = $2 and name = $3 for update",
    [organization, environment, name],
  );
  return rows.length > 0;
}

/** Adds a connection, or, where it may, takes the place of the one of that name; false: there is one, and it may not. What was tested before counts no more. */
export async function putConnection(ctx: WriteContext, body: AddConnectionBody, key: Buffer): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  const { name, kind, base_url = null, secret, auth, replace = false } = body;
  const scheme = kind === "http" ? (auth?.scheme ?? "bearer") : null;
  const sealed = secret === undefined ? null : seal(key, Buffer.from(secret), contextOf(ctx.scope, name));
  const rows = await ctx.db.query(
    `insert into connections (organization, environment, name, kind, base_url, scheme, header, secret, last_four, created_by, created_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     on conflict (organization, environment, name) do update set kind = excluded.kind, base_url = excluded.base_url, scheme = excluded.scheme,
       header = excluded.header, secret = excluded.secret, last_four = excluded.last_four, changed_at = excluded.changed_at, test = null
     where $12 returning name`,
    [
      organization,
      environment,
      name,
      kind,
      base_url,
      scheme,
      auth?.header ?? null,
      sealed,
      lastFourOf(secret),
      ctx.principal.id,
      new Date(ctx.now),
      replace,
    ],
  );
  return rows.length > 0;
}

/** Keeps what a test came to, unless the connection was replaced or removed while it ran. */
export async function keepTest(
  ctx: WriteContext,
  { name, changed_at }: ConnectionRow,
  test: ConnectionTest,
): Promise<void> {
  await ctx.db.query(
    "update connections set test = $5 where organization = $1 and environment = $2 and name = $3 and changed_at = $4",
    [ctx.scope.organization, ctx.scope.environment, name, changed_at, JSON.stringify(test)],
  );
}

export async function deleteConnection(ctx: WriteContext, name: string): Promise<void> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("delete from connections where organization = $1 and environment = $2 and name = $3", [
    organization,
    environment,
    name,
  ]);
}

/** Which drafts, and which versions that are live in the environment, name these connections. */
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
       where d.organization = $1 and d.environment = $2 and d.state = 'live'),
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

/** The connection of a name in a scope, with its secret; undefined: there is none. Throws where the secret does not open: the credential key is another one. */
export async function openConnection(
  db: Pick<Reader, "query">,
  key: Buffer,
  scope: Scope,
  name: string,
): Promise<OpenConnection | undefined> {
  const rows = await db.query<ConnectionRow>(
    `select ${columns} from connections where organization = $1 and environment = $2 and name = $3`,
    [scope.organization, scope.environment, name],
  );
  return rows[0] && opened(rows[0], key, scope);
}

/** A stored connection with its secret. */
export function opened(
  { name, kind, base_url, scheme, header, secret }: ConnectionRow,
  key: Buffer,
  scope: Scope,
): OpenConnection {
  const plain = secret === null ? null : unseal(key, secret, contextOf(scope, name));
  if (plain === undefined)
    throw new Error(`the secret of the connection ${name} does not open under the credential key`);
  const baseUrl = baseUrlOf(kind, base_url) as string; // without one by itself, it was not added without one
  return { name, kind, baseUrl, auth: scheme === null ? null : { scheme, header }, secret: plain?.toString() ?? null };
}

const contextOf = ({ organization, environment }: Scope, name: string): string =>
  `connection ${organization} ${environment} ${name}`;
