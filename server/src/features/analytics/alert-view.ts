import { timestamp } from "../../kernel/clock.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { type AlertRow, listChanges } from "./alert-store.ts";
import type { Alert, AlertSummary, AlertTransition } from "./alerts-schemas.ts";
import { linkOf } from "./link.ts";

const minute = 60_000;

/** The window that an alert measures: so many minutes up to the last whole one. */
export function alertWindow({ window_minutes }: Pick<AlertRow, "window_minutes">, now: number) {
  const to = Math.floor(now / minute) * minute;
  return { from: to - window_minutes * minute, to };
}

export function alertSummary(row: AlertRow, now: number): AlertSummary {
  const { id, name, measure, window_minutes, condition, for_minutes, least_n, paused, state, fired } = row;
  return {
    ...{ alert_id: id, name, measure, window_minutes, condition, for_minutes, least_n, paused, state, fired },
    filters: row.filters as AlertSummary["filters"],
    notify: { members: row.members },
    state_since: timestamp(row.state_since.getTime()),
    ...{ value: row.value, n: Number(row.n), error: row.error, revision: row.revision },
    looked_at: row.looked_at === null ? null : timestamp(row.looked_at.getTime()),
    stopped_reason: row.stopped_reason,
    created_by: row.created_by,
    created_at: timestamp(row.created_at.getTime()),
    link: linkOf(measure, row.filters, alertWindow(row, now)),
  };
}

/** Changes of its state that an alert shows. */
const mostShown = 100;

export async function alertView(ctx: Pick<ReadContext, "scope" | "db" | "now">, row: AlertRow): Promise<Alert> {
  const changes = await listChanges(ctx, row.id, mostShown);
  const history = changes.map(({ at, n, ...change }) => ({
    ...change,
    at: timestamp(at.getTime()),
    n: Number(n),
  })) as AlertTransition[];
  return { ...alertSummary(row, ctx.now), history };
}
