import { all, select, sql, update } from "../../../db/scoped.ts";
import { seal, unseal } from "../../../db/secrets.ts";
import { decidersOf, storableDeciders, unite } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { agentRows, agentVersionRows, deploymentRows } from "../../agents/shared-rows.ts";
import { countedDeciders, digestOfContent } from "../accountability/confirmations-store.ts";
import { connectionContent, connectionFacts, connectionObject } from "./facts.ts";
import { type ConnectionRow, connectionRows } from "./resource.ts";
import { baseUrlOf, lastFourOf, type OpenConnection } from "./rules.ts";
import type { AddConnectionBody, ConnectionKind, ConnectionTest, ConnectionUse } from "./schemas.ts";

export const listConnections = (
  ctx: ReadContext,
  kinds: readonly ConnectionKind[] | undefined,
  { after, take }: PageRequest,
): Promise<ConnectionRow[]> =>
  connectionRows.list(ctx, (query) => {
    const ofKinds = kinds === undefined ? query : query.where("r.kind", "in", kinds);
    const behind = sql<boolean>`(r.created_at, r.name) < (${new Date(Number(after?.keys[0]))}, ${after?.id}::text collate "C")`;
    const rest = after === undefined ? ofKinds : ofKinds.where(behind);
    return rest.orderBy("r.created_at", "desc").orderBy("r.name", "desc").limit(take);
  });

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

/** Adds a connection or, with `replace`, replaces the one of that name and forgets its last test. Undefined: there is one that may not be replaced. */
export async function putConnection(
  ctx: WriteContext,
  body: AddConnectionBody,
  key: Buffer,
): Promise<ConnectionRow | undefined> {
  const { name, kind, base_url = null, secret, auth, replace = false } = body;
  const said = {
    kind,
    base_url,
    scheme: kind === "http" ? (auth?.scheme ?? "bearer") : null,
    header: auth?.header ?? null,
    secret: secret === undefined ? null : seal(key, Buffer.from(secret), contextOf(ctx.scope, name)),
  };
  const before = replace ? await connectionRows.lock(ctx, name) : undefined;
  const earlier = before ? await countedDeciders(ctx, connectionContent(before)) : [];
  const content = {
    ...said,
    last_four: lastFourOf(secret),
    changed_at: new Date(ctx.now),
    digest: digestOfContent({ ...said, secret: said.secret?.toString("base64") ?? null }),
    deciders: storableDeciders(unite(earlier, decidersOf(ctx, "connection", connectionObject(name)))),
  };
  const row = { ...content, name, created_by: ctx.principal.id, created_at: content.changed_at };
  ctx.touch(connectionFacts);
  return replace
    ? connectionRows.put(ctx, row, { ...content, test: null })
    : connectionRows.insertUnlessTaken(ctx, row);
}

/** Stores the result of a test, unless the connection was replaced or removed meanwhile. */
export async function keepTest(
  ctx: WriteContext,
  { name, changed_at }: ConnectionRow,
  test: ConnectionTest,
): Promise<void> {
  const query = update(ctx, "connections").set({ test: JSON.stringify(test) });
  await all(ctx, query.where("name", "=", name).where("changed_at", "=", changed_at));
}

/** The drafts, and the versions that run in the environment, that name these connections. */
export async function findUses(
  ctx: ReadContext | WriteContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, ConnectionUse[]>> {
  const rows = await ctx.db.query<ConnectionUse & { connection: string }>(
    `with definitions as (
       select a.name as agent, null::int as version, a.draft as definition from ${agentRows} a where a.organization = $1 and a.archived_at is null
       union all
       select d.agent, v.number, v.definition from ${deploymentRows} d
         join ${agentVersionRows} v on v.organization = d.organization and v.agent = d.agent and v.number = d.version_number
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

export async function openConnection(
  db: QueryContext["db"],
  key: Buffer,
  scope: Scope,
  name: string,
): Promise<OpenConnection | undefined> {
  const row = await connectionRows.find({ scope, db }, name);
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

/** How the last test of a connection went: `at` null: it was not tested since it changed; `code` null: it passed. */
export interface ConnectionTestResult {
  readonly at: string | null;
  readonly code: string | null;
}

export async function connectionTests(
  ctx: QueryContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, ConnectionTestResult>> {
  if (names.length === 0) return new Map();
  const rows = await connectionRows.list(ctx, (query) => query.where("r.name", "in", [...names]));
  return new Map(rows.map(({ name, test }) => [name, { at: test?.tested_at ?? null, code: test?.code ?? null }]));
}
