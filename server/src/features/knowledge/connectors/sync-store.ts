import { all, first, insert, type Row, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import type { Query } from "../../../resources/rows.ts";
import type { Seeing } from "../bases/lookup-store.ts";
import { type SyncCounts, type SyncRow, syncRows } from "./resource.ts";
import type { SyncFailure } from "./schemas.ts";
import { seenConnector } from "./store.ts";

export interface SyncAddress extends Scope {
  readonly id: string;
}

export interface HeldSync extends SyncAddress {
  readonly attempt: number;
}

/** Tries without progress before a sync is given up. */
export const MOST_TRIES = 5;
const renewed = sql<Date>`${sql.raw(leaseEnd)}`;

export const findSync = async (ctx: QueryContext, base: string, id: string): Promise<SyncRow | undefined> =>
  isId(id, "syn")
    ? syncRows.findBy(ctx, (query) => query.where("r.base", "=", base).where("r.id", "=", id))
    : undefined;

/** Of connectors that the caller may see, or that are gone. */
export const seenSyncs = (ctx: Seeing, base: string, query: Query<SyncRow>): Query<SyncRow> =>
  query
    .leftJoin(rowsOf(ctx, "knowledge_connectors", "c"), "c.id", "r.connector")
    .where("r.base", "=", base)
    .where((is) => is.or([is("c.id", "is", null), seenConnector(ctx, "c")])) as unknown as Query<SyncRow>;

export const findSeenSync = async (ctx: Seeing, base: string, id: string): Promise<SyncRow | undefined> =>
  isId(id, "syn") ? syncRows.findBy(ctx, (query) => seenSyncs(ctx, base, query).where("r.id", "=", id)) : undefined;

export async function latestSyncs(
  ctx: QueryContext,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, SyncRow>> {
  const latest = select(ctx, "knowledge_syncs", "l")
    .select(sql<string>`max(l.id)`.as("id"))
    .where("l.connector", "=", sql<string>`any(${connectorIds}::text[])`)
    .groupBy("l.connector");
  const rows = await syncRows.list(ctx, (query) => query.where("r.id", "in", latest));
  return new Map(rows.map((row) => [row.connector, row]));
}

export const listFailures = (ctx: QueryContext, sync: string, { after, take }: PageRequest): Promise<SyncFailure[]> =>
  all(
    ctx,
    select(ctx, "knowledge_sync_failures", "f")
      .select(["f.item", "f.code", "f.detail"])
      .where("f.sync", "=", sync)
      .$if(after !== undefined, (q) => q.where("f.item", ">", after?.id ?? ""))
      .orderBy("f.item")
      .limit(take),
  );

export interface NewSync {
  readonly id: string;
  readonly base: string;
  readonly connector: string;
  readonly connector_name: string;
  readonly trigger: "manual" | "schedule";
  readonly author: string;
  readonly confirm_removals: boolean;
  readonly created_at: Date;
}

/** Returns the connector's open sync if there is one. */
export async function openSync(ctx: QueryContext, sync: NewSync): Promise<SyncRow> {
  const inserting = insert(ctx, "knowledge_syncs", sync).onConflict((on) =>
    on
      .columns(["organization", "environment", "connector"])
      .where(sql<boolean>`state in ('queued', 'running')`) // literal: a parameter in a plan that is kept would match no partial index
      .doUpdateSet({ confirm_removals: sql<boolean>`knowledge_syncs.confirm_removals or excluded.confirm_removals` }),
  );
  const { id } = (await first(ctx, inserting.returning("id"))) as { id: string };
  return (await findSync(ctx, sync.base, id)) as SyncRow;
}

const change = (ctx: QueryContext, id: string) => update(ctx, "knowledge_syncs").where("id", "=", id);
const unheld = sql<boolean>`(state = 'queued' or (state = 'running' and lease_until <= now()))`;

const claim = (db: Statements, scope: SyncAddress) =>
  change({ db, scope }, scope.id)
    .set((row) => ({ state: "running", attempt: row("attempt", "+", 1), lease_until: renewed }))
    .where(unheld);

/** Undefined: nothing to do. */
export const claimSync = (
  db: Statements,
  address: SyncAddress,
): Promise<Omit<SyncRow, keyof SyncCounts> | undefined> => {
  const claimed = claim(db, address)
    .set((row) => ({ tries: row("tries", "+", 1), started_at: sql<Date>`coalesce(started_at, now())` }))
    .where("tries", "<", MOST_TRIES)
    .where("faults", "<", mostFaults);
  return first({ db }, claimed.returningAll().$castTo<Omit<SyncRow, keyof SyncCounts>>());
};

/** Undefined: a worker holds it. */
export const claimToGiveUp = async (db: Statements, held: HeldSync): Promise<number | undefined> =>
  (await first({ db }, claim(db, held).where("attempt", "=", held.attempt).returning("attempt")))?.attempt;

/** False: the attempt has lost the sync. */
export async function renewSync(db: Statements, held: HeldSync): Promise<boolean> {
  const renewing = change({ db, scope: held }, held.id)
    .set({ lease_until: renewed })
    .where("attempt", "=", held.attempt);
  return (await all({ db }, renewing.where("state", "=", "running").returning("id"))).length > 0;
}

/** After an error of the service; does not count as a lost worker. */
export async function giveBackSync(db: Statements, held: HeldSync, error: unknown): Promise<void> {
  const given = change({ db, scope: held }, held.id).set((row) => ({
    tries: sql<number>`greatest(tries - 1, 0)`,
    faults: row("faults", "+", 1),
    fault: faultText(error),
    lease_until: sql<Date>`now() + ${sql.raw(faultPauseSql("faults"))}`,
  }));
  await all({ db }, given.where("attempt", "=", held.attempt).where("state", "=", "running"));
}

export const lockHeldSync = (
  ctx: QueryContext,
  id: string,
  attempt: number,
): Promise<Row<"knowledge_syncs"> | undefined> =>
  first(
    ctx,
    select(ctx, "knowledge_syncs", "s")
      .selectAll()
      .where("s.id", "=", id)
      .where("s.attempt", "=", attempt)
      .where("s.state", "=", "running")
      .forUpdate(),
  );

/** Renews the lease, and all tries if there was progress. */
export const noteProgress = (
  ctx: QueryContext,
  id: string,
  more: { added?: number; changed?: number; unchanged?: number; removed?: number },
): Promise<unknown> =>
  all(
    ctx,
    change(ctx, id).set((row) => ({
      added: row("added", "+", more.added ?? 0),
      changed: row("changed", "+", more.changed ?? 0),
      unchanged: row("unchanged", "+", more.unchanged ?? 0),
      removed: row("removed", "+", more.removed ?? 0),
      lease_until: renewed,
      ...(Object.values(more).some((n) => n > 0) && { tries: 0, faults: 0 }),
    })),
  );

export interface SyncEnd {
  readonly state: "completed" | "failed";
  readonly partial: string | null;
  readonly left_out: string | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

export const endSync = (ctx: WriteContext, id: string, end: SyncEnd): Promise<SyncRow | undefined> =>
  syncRows.update(ctx, id, { ...end, finished_at: new Date(ctx.now), lease_until: null });

export const abandonSync = (ctx: QueryContext, connector: string, at: Date): Promise<unknown> => {
  const error = JSON.stringify({ code: "connector_removed", detail: "The connector was removed while this sync ran." });
  const ended = update(ctx, "knowledge_syncs").set({ state: "failed", error, finished_at: at, lease_until: null });
  return all(ctx, ended.where("connector", "=", connector).where("state", "in", ["queued", "running"]));
};

/** Over all scopes: their worker is gone, or the wake-up was lost. */
export const listIdleSyncs = (db: Statements, most: number): Promise<(HeldSync & Interrupted)[]> =>
  db.query(
    `select organization, environment, id, attempt, tries as lost, faults, fault from knowledge_syncs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );

// Wake-ups. What is to be done stands in the rows that they name.

export const syncJobName = "knowledge_sync";

export function syncJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: syncJobName, payload: { organization, environment, sync: id }, key: id };
}

export const removalJobName = "knowledge_connector_removal";

export function removalJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: removalJobName, payload: { organization, environment, connector: id }, key: id };
}
