import { Type } from "typebox";
import { asEarlier, storedActor } from "../../../../kernel/actor.ts";
import { timestamp } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineEvent, everyone } from "../../../../kernel/events.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { nullable, Time } from "../../../../kernel/schema-words.ts";
import { automationStopped, stop, whyStopped } from "../../../admin/public.ts";
import { alertObject } from "../../output-kinds.ts";
import { measureNames } from "../../rollups/measures.ts";
import { mailAlert } from "../mail.ts";
import { alerts } from "../resource.ts";
import { AlertCondition, AlertId } from "../schemas.ts";
import type { AlertEvaluation } from "../states.ts";
import { storeEvaluation } from "../store.ts";
import { type AlertRow, alertWindow } from "../view.ts";

interface Telling {
  readonly alert: AlertRow;
  /** Null: it was not looked at, since its owner may not go on. */
  readonly looked: AlertEvaluation | null;
}

const common = {
  alert_id: AlertId,
  name: Type.String(),
  measure: Type.Enum(measureNames),
  condition: AlertCondition,
  agent: nullable(Type.String(), "The agent that it watches; null: several or all."),
  value: nullable(Type.Number(), "What was measured."),
  n: Type.Integer({ description: "Things in the window." }),
  from: Type.String({ format: "date-time", description: "Beginning of the measured window." }),
  to: Time,
  link: Type.String({ description: "Where people read it." }),
};
const told = <T extends string>(type: T, summary: string) =>
  defineEvent({ type, summary, readers: everyone, schema: Type.Object({ event: Type.Literal(type), ...common }) });

export const alertFired = told("analytics.alert.fired", "A watched measure is beyond its threshold.");
export const alertCleared = told("analytics.alert.cleared", "A watched measure is back within its threshold.");

/** Enters that an alert fired or cleared, and tells; or stops it where its owner may not go on. */
export const tellAlert: InsideOperation<Telling, { readonly told: boolean }> = defineInside({
  id: "analytics.tellAlert",
  summary: "Tell that an alert fired or cleared",
  permission: exempt("the service's own look at what is due"),
  load: exempt("what was looked at is given; it counts only if nothing changed since"),
  gate: exempt("makes no agent act"),
  compliance: exempt("sends notifications that people asked for"),
  audit: ({ params }: { params: Telling }) => `alert:${params.alert.id}`,
  emits: [alertFired, alertCleared, automationStopped],
  async handle(ctx: WriteContext, { params: { alert, looked } }: { params: Telling }) {
    if (await stopUnpermitted(ctx, alert.id)) return { told: false };
    if (looked === null || !(await storeEvaluation(ctx, alert, looked))) return { told: false };
    const { id, name, measure, condition } = alert;
    const { from, to } = alertWindow(alert, ctx.now);
    const link = `${ctx.appUrl}/analytics/alerts/${id}`;
    const body = {
      alert_id: id,
      name,
      measure,
      condition,
      value: looked.value,
      n: looked.n,
      link,
      agent: alert.agents?.length === 1 ? (alert.agents[0] ?? null) : null,
      from: timestamp(from),
      to: timestamp(to),
    };
    // The event says the name, the threshold and the time of whoever set the alert.
    const setters = alert.actor === null ? [] : asEarlier(storedActor(alert.actor).persons, "output", alertObject(id));
    if (looked.event === "fired") ctx.emit(alertFired, body, undefined, setters);
    else ctx.emit(alertCleared, body, undefined, setters);
    for (const member of alert.members) ctx.enqueue(mailAlert(ctx, alert, looked, member, link));
    return { told: true };
  },
});

async function stopUnpermitted(ctx: WriteContext, id: string): Promise<boolean> {
  const alert = await alerts.rows.lock(ctx, id);
  if (!alert || alert.stopped_reason !== null) return true;
  const why = await whyStopped(ctx, alert, "analytics:read");
  if (why !== null) await alerts.rows.update(ctx, id, stop(ctx, alertObject(id), alert, why));
  return why !== null;
}
