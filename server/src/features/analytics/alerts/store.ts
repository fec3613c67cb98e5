import { all, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { Query } from "../../../resources/rows.ts";
import { surelyMayGoOnSql } from "../../admin/public.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { addChange } from "./history.ts";
import { alerts } from "./resource.ts";
import type { AlertState } from "./schemas.ts";
import type { AlertEvaluation, Standing } from "./states.ts";
import type { AlertRow } from "./view.ts";

interface AlertFilter {
  readonly state?: readonly AlertState[];
  readonly fired?: boolean;
}

/** A key that is narrowed to agents sees alerts that watch no others. */
export function narrowAlerts(query: Query<AlertRow>, { principal: { agents } }: ReadContext, filter: AlertFilter) {
  const { state, fired } = filter;
  return query
    .$if(agents !== null, (q) => q.where("r.agents", "<@", sql<string[]>`${agents}::text[]`))
    .$if(state !== undefined, (q) => q.where("r.state", "in", state ?? []))
    .$if(fired !== undefined, (q) => q.where("r.fired", "=", fired ?? false));
}

export const listAlertRows = (ctx: ReadContext, filter: AlertFilter, page: PageRequest): Promise<AlertRow[]> =>
  alerts.rows.page(ctx, page, (query) => narrowAlerts(query, ctx, filter));

/** `sure`: nothing is known against its owner. */
export type DueAlert = AlertRow & Scope & { readonly sure: boolean };

export const listDueAlerts = (db: Statements, now: number, most: number): Promise<DueAlert[]> =>
  db.query(
    `select a.*, ${surelyMayGoOnSql("a", "analytics:read", "$1")} as sure
     from analytics_alerts a where not paused and stopped_at is null and due_at <= $1 order by due_at limit $2`,
    [new Date(now), most],
  );

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** Enters what a look saw, if the alert is still the one that was looked at; whether it was. */
export async function storeEvaluation(ctx: QueryContext, alert: AlertRow, looked: AlertEvaluation): Promise<boolean> {
  const { standing, value, n, error } = looked;
  const query = update(ctx, "analytics_alerts")
    .set({
      state: standing.state,
      state_since: new Date(standing.since),
      fired: standing.fired,
      value,
      n,
      error,
      beyond_since: dateOf(standing.beyondSince),
      within_since: dateOf(standing.withinSince),
      looked_at: dateOf(standing.lookedAt),
      due_at: new Date(looked.dueAt),
    })
    .where("id", "=", alert.id)
    .where("revision", "=", alert.revision)
    .where("paused", "=", false)
    .where("stopped_at", "is", null)
    .where("looked_at", "is not distinct from", alert.looked_at)
    .returning("id");
  if ((await all(ctx, query)).length === 0) return false;
  if (standing.state !== alert.state) await addChange(ctx, alert.id, looked);
  return true;
}

export const standingOf = (row: AlertRow): Standing => ({
  state: row.state,
  since: row.state_since.getTime(),
  fired: row.fired,
  beyondSince: row.beyond_since?.getTime() ?? null,
  withinSince: row.within_since?.getTime() ?? null,
  lookedAt: row.looked_at?.getTime() ?? null,
});

export async function knownMembers(ctx: QueryContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const query = select(ctx, memberRows, "m").select("m.id").where("m.id", "in", ids).where("m.removed_at", "is", null);
  return new Set((await all(ctx, query)).map(({ id }) => id));
}

export async function addressesOf(ctx: QueryContext, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const query = select(ctx, memberRows, "m").select("m.email").where("m.id", "in", ids);
  const rows = await all(ctx, query.where("m.removed_at", "is", null).where("m.email", "is not", null));
  return rows.flatMap(({ email }) => email ?? []);
}
