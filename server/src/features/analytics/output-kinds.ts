import type { Changes } from "../../db/scoped.ts";
import { type Actor, asEarlier, storable, storedActor, storedPersons, withDeciders } from "../../kernel/actor.ts";
import { nextTime } from "../../kernel/schedule.ts";
import { defineStanding } from "../admin/public.ts";
import { beginning } from "./alert-model.ts";
import { type AlertRow, findAlert, lockAlert, updateAlert } from "./alert-store.ts";
import { findReport, giveReport, lockReport } from "./report-store.ts";
import { definitionOf } from "./report-view.ts";

// Reports and alerts as people take them over.

export const reportObject = (id: string): string => `report:${id}`;
export const alertObject = (id: string): string => `alert:${id}`;

export const standingReport = defineStanding({
  kind: "report",
  permission: "analytics:read",
  part: "output",
  async find(ctx, id) {
    const row = await findReport(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: reportObject(id), ...acts, agents, path: `/v1/analytics/reports/${id}` };
  },
  lock: lockReport,
  give(ctx, row, actor) {
    const next = row.stopped_reason === null ? row.next_at : nextTime(definitionOf(row), ctx.now);
    return giveReport(ctx, row.id, actor, next);
  },
});

export const standingAlert = defineStanding({
  kind: "alert",
  permission: "analytics:read",
  part: "output",
  async find(ctx, id) {
    const row = await findAlert(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: alertObject(id), ...acts, agents, path: `/v1/analytics/alerts/${id}` };
  },
  lock: lockAlert,
  give: (ctx, row, actor) => updateAlert(ctx, row.id, { ...actingFor(actor), ...restarted(ctx.now, row) }),
});

/** Makes somebody the owner of an alert; those before decided what they left in it. */
export const ownedAlert = ({ id, actor: before }: AlertRow, actor: Actor): Changes<"analytics_alerts"> =>
  actingFor(withDeciders(actor, asEarlier(storedPersons(before), "output", alertObject(id))));

const actingFor = (actor: Actor): Changes<"analytics_alerts"> => ({
  actor: storable(actor),
  stopped_reason: null,
  stopped_at: null,
});

/** What holds until the next look. */
export function restarted(now: number, alert: AlertRow): Changes<"analytics_alerts"> {
  const { state, since } = beginning(now, alert.fired);
  return { state, state_since: new Date(since), beyond_since: null, within_since: null, due_at: new Date(now) };
}
