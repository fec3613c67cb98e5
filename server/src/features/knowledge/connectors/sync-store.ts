import { all, first, insert, newestFirst, type Row, rowsOf, select, sql, update } from "../../../db/scoped.ts";
import { isId } from "../../../kernel/ids.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import type { Looking, Seeing } from "../store.ts";
import { seenConnector } from "./connector-store.ts";
import type { SyncFailure } from "./schemas.ts";

/** A sync as it is stored; `failed` counts the items that it could not take. */
export type SyncRow = Omit<Row<"knowledge_syncs">, "error"> & {
  error: { code: string; detail: string } | null;
  failed: number;
};

export interface SyncAddress extends Scope {
  readonly id: string;
}

/** A sync in the hands of a worker. */
export interface HeldSync extends SyncAddress {
  readonly attempt: number;
}

/** A sync may be taken up this often without progress before it is given up. */
export const MOST_TRIES = 5;
const renewed = sql<Date>`${sql.raw(leaseEnd)}`;

const syncs = (ctx: Looking) =>
  select(ctx, "knowledge_syncs", "s")
    .selectAll("s")
    .select((of) =>
      of
        .selectFrom(rowsOf(ctx, "knowledge_sync_failures", "f"))
        .whereRef("f.sync", "=", "s.id")
        .select(sql<number>`count(*)::int`.as("n"))
        .$asScalar()
        .$notNull()
        .as("failed"),
    )
    .$castTo<SyncRow>();

export const findSync = async (ctx: Looking, base: string, id: string): Promise<SyncRow | undefined> =>
  isId(id, "syn") ? first(ctx, syncs(ctx).where("s.base", "=", base).where("s.id", "=", id)) : undefined;

/** Syncs whose connector the caller may see, or that is gone. */
const seenSyncs = (ctx: Seeing, base: string) =>
  syncs(ctx)
    .leftJoin(rowsOf(ctx, "knowledge_connectors", "c"), "c.id", "s.connector")
    .where("s.base", "=", base)
    .where((is) => is.or([is("c.id", "is", null), seenConnector(ctx)]));

/** A sync of a base, where the caller may see its connector. */
export const findSeenSync = async (ctx: Seeing, base: string, id: string): Promise<SyncRow | undefined> =>
  isId(id, "syn") ? first(ctx, seenSyncs(ctx, base).where("s.id", "=", id)) : undefined;

export interface SyncFilter {
  readonly connector?: string;
  readonly state?: readonly string[];
}

export const listSyncRows = (
  ctx: Seeing,
  base: string,
  { connector, state }: SyncFilter,
  page: PageRequest,
): Promise<SyncRow[]> =>
  all(
    ctx,
    newestFirst(
      seenSyncs(ctx, base)
        .$if(connector !== undefined, (q) => q.where(sql<boolean>`${connector} in (s.connector, s.connector_name)`))
        .$if(state !== undefined, (q) => q.where(sql<string>`s.state`, "=", sql<string>`any(${state}::text[])`)),
      "s.id",
      page,
    ),
  );

/** The latest sync of each of these connectors. */
export async function latestSyncs(
  ctx: Looking,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, SyncRow>> {
  const latest = select(ctx, "knowledge_syncs", "l")
    .select(sql<string>`max(l.id)`.as("id"))
    .where("l.connector", "=", sql<string>`any(${connectorIds}::text[])`)
    .groupBy("l.connector");
  const rows = await all(ctx, syncs(ctx).where("s.id", "in", latest));
  return new Map(rows.map((row) => [row.connector, row]));
}

export const listFailures = (ctx: Looking, sync: string, { after, take }: PageRequest): Promise<SyncFailure[]> =>
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

/** Adds a sync that waits for a worker, unless one of the connector is open. Returns the open one. */
export async function openSync(ctx: Looking, sync: NewSync): Promise<SyncRow> {
  const inserting = insert(ctx, "knowledge_syncs", sync).onConflict((on) =>
    on
      .columns(["organization", "environment", "connector"])
      .where(sql<boolean>`state in ('queued', 'running')`) // literal: a parameter in a plan that is kept would match no partial index
      .doUpdateSet({ confirm_removals: sql<boolean>`knowledge_syncs.confirm_removals or excluded.confirm_removals` }),
  );
  const { id } = (await first(ctx, inserting.returning("id"))) as { id: string };
  return (await findSync(ctx, sync.base, id)) as SyncRow;
}

const change = (ctx: Looking, id: string) => update(ctx, "knowledge_syncs").where("id", "=", id);
const unheld = sql<boolean>`(state = 'queued' or (state = 'running' and lease_until <= now()))`;

const claim = (db: Statements, scope: SyncAddress) =>
  change({ db, scope }, scope.id)
    .set((row) => ({ state: "running", attempt: row("attempt", "+", 1), lease_until: renewed }))
    .where(unheld);

/** Takes up a sync that no worker holds. Undefined if there is nothing to do. */
export const claimSync = (db: Statements, address: SyncAddress): Promise<Omit<SyncRow, "failed"> | undefined> => {
  const claimed = claim(db, address)
    .set((row) => ({ tries: row("tries", "+", 1), started_at: sql<Date>`coalesce(started_at, now())` }))
    .where("tries", "<", MOST_TRIES)
    .where("faults", "<", mostFaults);
  return first({ db }, claimed.returningAll().$castTo<Omit<SyncRow, "failed">>());
};

/** Takes a sync up only to end it as failed. Returns its attempt; undefined if a worker holds it. */
export const claimToGiveUp = async (db: Statements, held: HeldSync): Promise<number | undefined> =>
  (await first({ db }, claim(db, held).where("attempt", "=", held.attempt).returning("attempt")))?.attempt;

/** Renews the lease; false if the attempt has lost the sync. */
export async function renewSync(db: Statements, held: HeldSync): Promise<boolean> {
  const renewing = change({ db, scope: held }, held.id)
    .set({ lease_until: renewed })
    .where("attempt", "=", held.attempt);
  return (await all({ db }, renewing.where("state", "=", "running").returning("id"))).length > 0;
}

/** Gives a sync back after an error of the service, for another attempt after a pause. It counts as no lost worker. */
export async function giveBackSync(db: Statements, held: HeldSync, error: unknown): Promise<void> {
  const given = change({ db, scope: held }, held.id).set((row) => ({
    tries: sql<number>`greatest(tries - 1, 0)`,
    faults: row("faults", "+", 1),
    fault: faultText(error),
    lease_until: sql<Date>`now() + ${sql.raw(faultPauseSql("faults"))}`,
  }));
  await all({ db }, given.where("attempt", "=", held.attempt).where("state", "=", "running"));
}

/** Locks a sync that an attempt still holds until the transaction ends. */
export const lockHeldSync = (ctx: Looking, id: string, attempt: number): Promise<Row<"knowledge_syncs"> | undefined> =>
  first(
    ctx,
    select(ctx, "knowledge_syncs", "s")
      .selectAll()
      .where("s.id", "=", id)
      .where("s.attempt", "=", attempt)
      .where("s.state", "=", "running")
      .forUpdate(),
  );

/** Notes progress: adds to the counts, renews the lease and gives the sync all its tries again, unless it only met what an attempt before met. */
export const noteProgress = (
  ctx: Looking,
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
  readonly error: { readonly code: string; readonly detail: string } | null;
}

export const endSync = (ctx: Looking, id: string, { state, partial, error }: SyncEnd, at: Date): Promise<unknown> =>
  all(
    ctx,
    change(ctx, id).set({
      ...{ state, partial, finished_at: at, lease_until: null },
      error: error === null ? null : JSON.stringify(error),
    }),
  );

/** Ends the open sync of a connector that is detached. */
export const abandonSync = (ctx: Looking, connector: string, at: Date): Promise<unknown> => {
  const error = JSON.stringify({ code: "connector_removed", detail: "The connector was removed while this sync ran." });
  const ended = update(ctx, "knowledge_syncs").set({ state: "failed", error, finished_at: at, lease_until: null });
  return all(ctx, ended.where("connector", "=", connector).where("state", "in", ["queued", "running"]));
};

/** Syncs that no worker holds because it is gone, or the wake-up was lost, over all scopes. */
export const listIdleSyncs = (db: Statements, most: number): Promise<(HeldSync & Interrupted)[]> =>
  db.query(
    `select organization, environment, id, attempt, tries as lost, faults, fault from knowledge_syncs
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
