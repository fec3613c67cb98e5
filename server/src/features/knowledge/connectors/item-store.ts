import { createHash } from "node:crypto";
import { all, select, sql } from "../../../db/scoped.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { Looking } from "../store.ts";
import type { HeldSync } from "./sync-store.ts";

/** An item of a source as it was when it was last read. */
export interface KnownItem {
  readonly item: string;
  readonly fingerprint: string;
  readonly detail: unknown;
  readonly document: string;
  readonly seen_in: string;
}

/** What stays of the name of an item whose document was deleted by hand, so that the next sync does not bring it back. */
const digestOf = (connector: string, item: string): string =>
  `sha256:${createHash("sha256").update(`${connector} ${item}`).digest("hex")}`;

/** Names of items with their digests: an item is stored under one of the two. */
const withDigests = (connector: string, items: readonly string[]): string[] =>
  items.flatMap((item) => [item, digestOf(connector, item)]);

/** Puts digests in the place of the names of the items that became these documents, and forgets what else names them. */
export async function forgetItems({ scope, db }: Looking, documents: readonly string[]): Promise<void> {
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

/** What is known of these items, by item. */
export async function findItems(
  ctx: Looking,
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

const here = ({ scope }: Looking): string[] => [scope.organization, scope.environment];

/** An item with what tells at the next look whether it changed. */
export interface SeenItem {
  readonly item: string;
  readonly fingerprint: string;
  readonly detail: unknown;
}

/** Notes that a sync saw these items as they were, and counts them, if the attempt still holds the sync; false if it does not. */
export async function markSeen(
  ctx: Looking,
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

/** Notes newer fingerprints and details of items that are as they were. */
export async function renewItems(ctx: Looking, connector: string, items: readonly SeenItem[]): Promise<void> {
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

/** Notes items with the documents that they became. */
export async function putItems(
  ctx: Looking,
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

/** Notes items that could not be taken. They are there: what they were before is not removed. */
export async function putFailures(
  ctx: Looking,
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

/** Forgets failures of items that came after all. */
export const clearFailures = (ctx: Looking, sync: string, items: readonly string[]): Promise<unknown> =>
  ctx.db.query(
    "delete from knowledge_sync_failures where organization = $1 and environment = $2 and sync = $3 and item = any($4::text[])",
    [...here(ctx), sync, items],
  );

/** How many items a connector brought, and how many of them a sync did not see. */
export async function countVanished(
  ctx: Looking,
  connector: string,
  sync: string,
): Promise<{ known: number; vanished: number }> {
  const [row] = await ctx.db.query<{ known: number; vanished: number }>(
    `select count(*)::int as known, (count(*) filter (where seen_in <> $4))::int as vanished from knowledge_items
     where organization = $1 and environment = $2 and connector = $3`,
    [...here(ctx), connector, sync],
  );
  return row ?? { known: 0, vanished: 0 };
}

/** Forgets some items that a sync did not see, or any of a connector; returns their documents. */
export async function takeItems(
  ctx: Looking,
  connector: string,
  unseenBy: string | null,
  most: number,
): Promise<string[]> {
  const rows = await ctx.db.query<{ document: string }>(
    `delete from knowledge_items where (organization, environment, connector, item) in (
       select organization, environment, connector, item from knowledge_items
       where organization = $1 and environment = $2 and connector = $3 and ($4::text is null or seen_in <> $4) limit $5)
     returning document`,
    [...here(ctx), connector, unseenBy, most],
  );
  return rows.map(({ document }) => document);
}
