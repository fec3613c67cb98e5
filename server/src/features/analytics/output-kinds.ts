import { type Actor, asEarlier, storable, storedActor, storedPersons, withDeciders } from "../../kernel/actor.ts";
import { nextTime } from "../../kernel/schedule.ts";
import { defineStanding } from "../admin/public.ts";
import { alerts } from "./alerts/resource.ts";
import { beginning } from "./alerts/states.ts";
import type { AlertRow } from "./alerts/view.ts";
import { definitionOf, reports } from "./reports/resource.ts";

// Reports and alerts as people take them over.

export const reportObject = (id: string): string => `report:${id}`;
export const alertObject = (id: string): string => `alert:${id}`;

export const standingReport = defineStanding({
  kind: "report",
  prefix: "rpt",
  permission: "analytics:read",
  part: "output",
  async find(ctx, id) {
    const row = await reports.rows.find(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: reportObject(id), ...acts, agents, path: `/v1/analytics/reports/${id}` };
  },
  lock: reports.rows.lock,
  async give(ctx, row, actor) {
    const next_at = row.stopped_reason === null ? row.next_at : nextTime(definitionOf(row), ctx.now);
    await reports.rows.update(ctx, row.id, { ...actingFor(actor), principal: actor.owner, next_at });
  },
});

export const standingAlert = defineStanding({
  kind: "alert",
  prefix: "alr",
  permission: "analytics:read",
  part: "output",
  async find(ctx, id) {
    const row = await alerts.rows.find(ctx, id);
    if (!row) return undefined;
    const { stopped_reason: stoppedReason, agents, actor } = row;
    const acts = { actor: storedActor(actor), deciders: storedPersons(actor), stoppedReason };
    return { object: alertObject(id), ...acts, agents, path: `/v1/analytics/alerts/${id}` };
  },
  lock: alerts.rows.lock,
  async give(ctx, row, actor) {
    const revision = row.revision + 1;
    await alerts.rows.update(ctx, row, { ...actingFor(actor), ...restarted(ctx.now, row), revision });
  },
});

export const ownedAlert = ({ id, actor: before }: AlertRow, actor: Actor) =>
  actingFor(withDeciders(actor, asEarlier(storedPersons(before), "output", alertObject(id))));

const actingFor = (actor: Actor) => ({
  actor: storable(actor),
  stopped_reason: null,
  stopped_at: null,
});

export function restarted(now: number, alert: AlertRow) {
  const { state, since } = beginning(now, alert.fired);
  return { state, state_since: new Date(since), beyond_since: null, within_since: null, due_at: new Date(now) };
}
