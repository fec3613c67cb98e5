import { createHash } from "node:crypto";
import { all, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { HeldSync } from "./sync-store.ts";

export interface KnownItem {
  readonly item: string;
  readonly fingerprint: string;
  readonly detail: unknown;
  readonly document: string;
  readonly seen_in: string;
}

/** Kept in place of the name of an item whose document was deleted by hand, so that the next sync does not bring it back. */
const digestOf = (connector: string, item: string): string =>
  `sha256:${createHash("sha256").update(`${connector} ${item}`).digest("hex")}`;

const withDigests = (connector: string, items: readonly string[]): string[] =>
  items.flatMap((item) => [item, digestOf(connector, item)]);

export async function forgetItems({ scope, db }: QueryContext, documents: readonly string[]): Promise<void> {
  await db.query(
    `with brought as (
       select connector, item from knowledge_items where organization = $1 and environment = $2 and document = any($3::text[])
         and item !~ '^sha256:[0-9a-f]{64}$'
     ), failures as (
       delete from knowledge_sync_failures f using brought i, knowledge_syncs s
       where f.organization = $1 and f.environment = $2 and f.item = i.item
         and s.organization = $1 and s.environment = $2 and s.id = f.sync and s.connector = i.connector
     )
     update knowledge_items k set detail = null,
       item = 'sha256:' || encode(sha256(convert_to(i.connector || ' ' || i.item, 'UTF8')), 'hex')
     from brought i where k.organization = $1 and k.environment = $2 and k.connector = i.connector and k.item = i.item`,
    [scope.organization, scope.environment, documents],
  );
}

export async function findItems(
  ctx: QueryContext,
  connector: string,
  items: readonly string[],
): Promise<ReadonlyMap<string, KnownItem>> {
  const rows = await all(
    ctx,
    select(ctx, "knowledge_items", "i")
      .select(["i.item", "i.fingerprint", "i.detail", "i.document", "i.seen_in"])
      .where("i.connector", "=", connector)
      .where("i.item", "=", sql<string>`any(${withDigests(connector, items)}::text[])`),
  );
  const stored = new Map(rows.map((row) => [row.item, row]));
  const known = items.map((item) => ({ item, row: stored.get(item) ?? stored.get(digestOf(connector, item)) }));
  return new Map(known.flatMap(({ item, row }) => (row ? [[item, { ...row, item }] as const] : [])));
}

const here = ({ scope }: QueryContext): string[] => [scope.organization, scope.environment];

export interface SeenItem {
  readonly item: string;
  readonly fingerprint: string;
  readonly detail: unknown;
}

/** False: the attempt has lost the sync. */
export async function markSeen(
  ctx: QueryContext,
  held: HeldSync,
  connector: string,
  items: readonly string[],
): Promise<boolean> {
  // By `any` and without a join: this runs right after rows were added, when the planner still takes the table for empty.
  const rows = await ctx.db.query(
    `with held as (
       update knowledge_syncs s set lease_until = ${leaseEnd}, tries = case when fresh.n > 0 then 0 else tries end,
         faults = case when fresh.n > 0 then 0 else faults end,
         unchanged = unchanged + fresh.n
       from (select count(*) as n from knowledge_items i where i.organization = $1 and i.environment = $2 and i.connector = $4
           and i.item = any($6::text[]) and i.seen_in <> $3) fresh
       where organization = $1 and environment = $2 and id = $3 and attempt = $5 and state = 'running' returning id),
     seen as (
       update knowledge_items set seen_in = $3 where organization = $1 and environment = $2 and connector = $4
         and item = any($6::text[]) and seen_in <> $3 and exists (select from held))
     select id from held`,
    [...here(ctx), held.id, connector, held.attempt, withDigests(connector, items)],
  );
  return rows.length > 0;
}

export async function renewItems(ctx: QueryContext, connector: string, items: readonly SeenItem[]): Promise<void> {
  if (items.length === 0) return;
  await ctx.db.query(
    `update knowledge_items i set fingerprint = g.fingerprint, detail = g.detail::jsonb
     from unnest($4::text[], $5::text[], $6::text[]) as g(item, fingerprint, detail)
     where i.organization = $1 and i.environment = $2 and i.connector = $3 and i.item = g.item`,
    [
      ...here(ctx),
      connector,
      items.map(({ item }) => item),
      items.map(({ fingerprint }) => fingerprint),
      items.map(({ detail }) => (detail == null ? null : JSON.stringify(detail))),
    ],
  );
}

export async function putItems(
  ctx: QueryContext,
  { sync, connector }: { sync: string; connector: string },
  items: readonly (SeenItem & { readonly document: string })[],
): Promise<void> {
  if (items.length === 0) return;
  await ctx.db.query(
    "delete from knowledge_items where organization = $1 and environment = $2 and connector = $3 and item = any($4::text[])",
    [...here(ctx), connector, items.map(({ item }) => digestOf(connector, item))],
  );
  await ctx.db.query(
    `insert into knowledge_items (organization, environment, connector, seen_in, item, fingerprint, detail, document)
     select $1, $2, $3, $4, item, fingerprint, detail::jsonb, document
     from unnest($5::text[], $6::text[], $7::text[], $8::text[]) as g(item, fingerprint, detail, document)
     on conflict (organization, environment, connector, item) do update
     set seen_in = excluded.seen_in, fingerprint = excluded.fingerprint, detail = excluded.detail, document = excluded.document`,
    [
      ...here(ctx),
      connector,
      sync,
      items.map(({ item }) => item),
      items.map(({ fingerprint }) => fingerprint),
      items.map(({ detail }) => (detail == null ? null : JSON.stringify(detail))),
      items.map(({ document }) => document),
    ],
  );
}

export interface FailedItem {
  readonly item: string;
  readonly code: string;
  readonly detail: string;
}

/** They count as present: their documents are not removed. */
export async function putFailures(
  ctx: QueryContext,
  { sync, connector }: { sync: string; connector: string },
  failures: readonly FailedItem[],
): Promise<void> {
  if (failures.length === 0) return;
  const items = failures.map(({ item }) => item);
  await ctx.db.query(
    `insert into knowledge_sync_failures (organization, environment, sync, item, code, detail)
     select $1, $2, $3, item, code, detail from unnest($4::text[], $5::text[], $6::text[]) as g(item, code, detail)
     on conflict (organization, environment, sync, item) do update set code = excluded.code, detail = excluded.detail`,
    [...here(ctx), sync, items, failures.map(({ code }) => code), failures.map(({ detail }) => detail.slice(0, 1000))],
  );
  await ctx.db.query(
    `update knowledge_items set seen_in = $4 where organization = $1 and environment = $2 and connector = $3 and item = any($5::text[])`,
    [...here(ctx), connector, sync, withDigests(connector, items)],
  );
}

export const clearFailures = (ctx: QueryContext, sync: string, items: readonly string[]): Promise<unknown> =>
  ctx.db.query(
    "delete from knowledge_sync_failures where organization = $1 and environment = $2 and sync = $3 and item = any($4::text[])",
    [...here(ctx), sync, items],
  );

/** `gone`: only these can have vanished; undefined: whatever the sync has not seen. */
export async function countVanished(
  ctx: QueryContext,
  connector: string,
  sync: string,
  gone?: readonly string[],
): Promise<{ known: number; vanished: number }> {
  const [row] = await ctx.db.query<{ known: number; vanished: number }>(
    `select count(*)::int as known, (count(*) filter (where seen_in <> $4 and ($5::text[] is null or item = any($5::text[]))))::int as vanished
     from knowledge_items where organization = $1 and environment = $2 and connector = $3`,
    [...here(ctx), connector, sync, gone ? withDigests(connector, gone) : null],
  );
  return row ?? { known: 0, vanished: 0 };
}

/** Returns their documents. */
export async function takeItems(
  ctx: QueryContext,
  connector: string,
  unseenBy: string | null,
  most: number,
  gone?: readonly string[],
): Promise<string[]> {
  const rows = await ctx.db.query<{ document: string }>(
    `delete from knowledge_items where (organization, environment, connector, item) in (
       select organization, environment, connector, item from knowledge_items
       where organization = $1 and environment = $2 and connector = $3 and ($4::text is null or seen_in <> $4)
         and ($6::text[] is null or item = any($6::text[])) limit $5)
     returning document`,
    [...here(ctx), connector, unseenBy, most, gone ? withDigests(connector, gone) : null],
  );
  return rows.map(({ document }) => document);
}
