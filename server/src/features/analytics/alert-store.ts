import {
  all,
  type Changes,
  first,
  insert,
  newestFirst,
  type Row,
  remove,
  select,
  sql,
  update,
} from "../../db/scoped.ts";
import { actorOfCall, storable } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { surelyMayGoOnSql } from "../admin/public.ts";
import type { Standing, Step } from "./alert-model.ts";
import type { AlertCondition, AlertState } from "./alerts-schemas.ts";
import type { MeasureName } from "./measures.ts";
import type { Filters } from "./rollup.ts";

interface Here {
  readonly scope: Scope;
  readonly db: Statements;
}

/** An alert as it is stored. */
export interface AlertRow
  extends Omit<
    Row<"analytics_alerts">,
    "organization" | "environment" | "measure" | "filters" | "condition" | "state"
  > {
  readonly measure: MeasureName;
  readonly filters: Filters;
  readonly condition: AlertCondition;
  readonly state: AlertState;
}

const columns = [
  ...([
    "id",
    "name",
    "measure",
    "filters",
    "window_minutes",
    "condition",
    "for_minutes",
    "least_n",
    "members",
  ] as const),
  ...(["agents", "paused", "state", "state_since", "fired", "beyond_since", "within_since", "value", "n"] as const),
  ...(["looked_at", "due_at", "error", "revision", "created_by", "created_at"] as const),
  ...(["actor", "stopped_reason", "stopped_at"] as const),
];

const alerts = (ctx: Here) => select(ctx, "analytics_alerts", "a").select(columns).$castTo<AlertRow>();

export async function findAlert(ctx: Here, id: string): Promise<AlertRow | undefined> {
  return isId(id, "alr") ? first(ctx, alerts(ctx).where("a.id", "=", id)) : undefined;
}

/** The alert, locked until the transaction ends; undefined: it was removed. */
export const lockAlert = (ctx: WriteContext, id: string): Promise<AlertRow | undefined> =>
  first(ctx, alerts(ctx).where("a.id", "=", id).forUpdate());

/** A page of alerts, newest first. A key that is narrowed to agents sees those that watch no others. */
export function listAlertRows(
  ctx: ReadContext,
  { state, fired }: { readonly state?: readonly AlertState[]; readonly fired?: boolean },
  page: PageRequest,
): Promise<AlertRow[]> {
  const { agents } = ctx.principal;
  const query = alerts(ctx)
    .$if(agents !== null, (q) => q.where("a.agents", "<@", sql<string[]>`${agents}::text[]`))
    .$if(state !== undefined, (q) => q.where("a.state", "in", state ?? []))
    .$if(fired !== undefined, (q) => q.where("a.fired", "=", fired ?? false));
  return all(ctx, newestFirst(query, "a.id", page));
}

export type NewAlert = Pick<
  AlertRow,
  "name" | "measure" | "filters" | "window_minutes" | "condition" | "for_minutes" | "least_n" | "members" | "agents"
>;

export async function insertAlert(ctx: WriteContext, id: string, alert: NewAlert): Promise<void> {
  const now = new Date(ctx.now);
  const json = { filters: JSON.stringify(alert.filters), condition: JSON.stringify(alert.condition) };
  const actor = storable(actorOfCall(ctx));
  const made = { created_by: ctx.principal.id, actor, created_at: now, state_since: now, due_at: now };
  await all(ctx, insert(ctx, "analytics_alerts", { ...alert, ...json, ...made, id }));
}

export async function updateAlert(ctx: WriteContext, id: string, changes: Changes<"analytics_alerts">): Promise<void> {
  const revision = sql<number>`revision + 1`;
  await all(
    ctx,
    update(ctx, "analytics_alerts")
      .set({ ...changes, revision })
      .where("id", "=", id),
  );
}

/** Ends the looks of an alert until somebody changes it or takes it over. */
export async function stopAlert(
  ctx: WriteContext,
  id: string,
  stopped: { readonly stopped_reason: string; readonly stopped_at: Date },
): Promise<void> {
  await all(ctx, update(ctx, "analytics_alerts").set(stopped).where("id", "=", id));
}

export async function deleteAlert(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, remove(ctx, "analytics_alerts").where("id", "=", id));
}

/** `sure`: nothing is known against its owner. */
export type DueAlert = AlertRow & Scope & { readonly sure: boolean };

/** Alerts that are due, with their scopes, those that wait longest first. */
export const listDueAlerts = (db: Statements, now: number, most: number): Promise<DueAlert[]> =>
  db.query(
    `select organization, environment, ${columns.join(", ")}, ${surelyMayGoOnSql("a", "analytics:read", "$1")} as sure
     from analytics_alerts a where not paused and stopped_at is null and due_at <= $1 order by due_at limit $2`,
    [new Date(now), most],
  );

/** What a look saw. */
export interface LookedAlert extends Step {
  readonly value: number | null;
  readonly n: number;
  readonly error: string | null;
  readonly dueAt: number;
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** Enters what a look saw, if the alert is still the one that was looked at; whether it was. */
export async function enterLook(ctx: Here, alert: AlertRow, looked: LookedAlert): Promise<boolean> {
  const { standing, value, n, error } = looked;
  const query = update(ctx, "analytics_alerts")
    .set({
      ...{ state: standing.state, state_since: new Date(standing.since), fired: standing.fired, value, n, error },
      ...{ beyond_since: dateOf(standing.beyondSince), within_since: dateOf(standing.withinSince) },
      ...{ looked_at: dateOf(standing.lookedAt), due_at: new Date(looked.dueAt) },
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

/** Changes of an alert's state that are kept. */
const mostKept = 1_000;

async function addChange(ctx: Here, alert: string, { standing, event, value, n }: LookedAlert): Promise<void> {
  const at = new Date(standing.lookedAt ?? standing.since);
  await all(ctx, insert(ctx, "analytics_alert_changes", { alert, at, state: standing.state, event, value, n }));
  const kept = select(ctx, "analytics_alert_changes", "c").where("c.alert", "=", alert).orderBy("c.number", "desc");
  const oldest = await first(ctx, kept.select("c.number").offset(mostKept).limit(1));
  if (oldest)
    await all(
      ctx,
      remove(ctx, "analytics_alert_changes").where("alert", "=", alert).where("number", "<=", oldest.number),
    );
}

/** The newest changes of an alert's state. */
export const listChanges = (ctx: Here, alert: string, most: number) =>
  all(
    ctx,
    select(ctx, "analytics_alert_changes", "c")
      .select(["c.at", "c.state", "c.event", "c.value", "c.n"])
      .where("c.alert", "=", alert)
      .orderBy("c.number", "desc")
      .limit(most),
  );

/** Where an alert stands. */
export const standingOf = (row: AlertRow): Standing => ({
  ...{ state: row.state, since: row.state_since.getTime(), fired: row.fired },
  beyondSince: row.beyond_since?.getTime() ?? null,
  withinSince: row.within_since?.getTime() ?? null,
  lookedAt: row.looked_at?.getTime() ?? null,
});

/** The ids among these that are members with an account here. */
export async function knownMembers(ctx: Here, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const query = select(ctx, "members", "m").select("m.id").where("m.id", "in", ids).where("m.removed_at", "is", null);
  return new Set((await all(ctx, query)).map(({ id }) => id));
}

/** Addresses of members who have one. */
export async function addressesOf(ctx: Here, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const query = select(ctx, "members", "m").select("m.email").where("m.id", "in", ids);
  const rows = await all(ctx, query.where("m.removed_at", "is", null).where("m.email", "is not", null));
  return rows.flatMap(({ email }) => email ?? []);
}
