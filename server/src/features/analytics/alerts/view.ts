import { isoTime } from "../../../kernel/clock.ts";
import { pick } from "../../../kernel/pick.ts";
import type { StoredRow } from "../../../resources/rows.ts";
import { linkOf } from "../figures/link.ts";
import type { MeasureName } from "../rollups/measures.ts";
import type { AlertCondition, AlertSummary } from "./schemas.ts";

export interface AlertJson {
  readonly measure: MeasureName;
  readonly filters: AlertSummary["filters"];
  readonly condition: AlertCondition;
}
export type AlertRow = StoredRow<"analytics_alerts", AlertJson>;

const minute = 60_000;

export function alertWindow({ window_minutes }: Pick<AlertRow, "window_minutes">, now: number) {
  const to = Math.floor(now / minute) * minute;
  return { from: to - window_minutes * minute, to };
}

const shown = [
  ...(["name", "measure", "filters", "window_minutes", "condition", "for_minutes", "least_n"] as const),
  ...(["paused", "state", "fired", "value", "error", "stopped_reason", "revision", "created_by"] as const),
];

export function alertSummary(row: AlertRow, now: number): AlertSummary {
  return {
    alert_id: row.id,
    ...pick(row, shown),
    notify: { members: row.members },
    state_since: isoTime(row.state_since),
    n: Number(row.n),
    looked_at: isoTime(row.looked_at),
    created_at: isoTime(row.created_at),
    link: linkOf(row.measure, row.filters, alertWindow(row, now)),
  };
}
