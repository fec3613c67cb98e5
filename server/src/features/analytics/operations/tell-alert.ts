import { asEarlier, storedActor } from "../../../kernel/actor.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { automationStopped, stop, whyStopped } from "../../admin/public.ts";
import { alertCleared, alertFired } from "../alert-events.ts";
import { mailAlert } from "../alert-mail.ts";
import { type AlertRow, enterLook, type LookedAlert, lockAlert, stopAlert } from "../alert-store.ts";
import { alertWindow } from "../alert-view.ts";
import { alertObject } from "../output-kinds.ts";

interface Telling {
  readonly alert: AlertRow;
  /** Null: it was not looked at, since its owner may not go on. */
  readonly looked: LookedAlert | null;
}

/** Enters that an alert fired or cleared, and tells; or stops it where its owner may not go on. */
export const tellAlert: InsideOperation<Telling, { readonly told: boolean }> = defineInside({
  id: "analytics.tellAlert",
  summary: "Tell that an alert fired or cleared",
  permission: exempt("the service's own look at what is due"),
  load: exempt("what was looked at is given; it counts only if nothing changed since"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what people asked to be told"),
  audit: ({ params }: { params: Telling }) => `alert:${params.alert.id}`,
  emits: [alertFired, alertCleared, automationStopped],
  async handle(ctx: WriteContext, { params: { alert, looked } }: { params: Telling }) {
    if (await stopUnpermitted(ctx, alert.id)) return { told: false };
    if (looked === null || !(await enterLook(ctx, alert, looked))) return { told: false };
    const { id, name, measure, condition } = alert;
    const { from, to } = alertWindow(alert, ctx.now);
    const link = `${ctx.appUrl}/analytics/alerts/${id}`;
    const body = {
      ...{ alert_id: id, name, measure, condition, value: looked.value, n: looked.n, link },
      agent: alert.agents?.length === 1 ? (alert.agents[0] ?? null) : null,
      ...{ from: timestamp(from), to: timestamp(to) },
    };
    // The event says the name, the threshold and the time of whoever set the alert.
    const setters = alert.actor === null ? [] : asEarlier(storedActor(alert.actor).persons, "output", alertObject(id));
    if (looked.event === "fired") ctx.emit(alertFired, body, undefined, setters);
    else ctx.emit(alertCleared, body, undefined, setters);
    for (const member of alert.members) ctx.enqueue(mailAlert(ctx, alert, looked, member, link));
    return { told: true };
  },
});

/** Stops an alert whose owner may not read figures; whether it is stopped. */
async function stopUnpermitted(ctx: WriteContext, id: string): Promise<boolean> {
  const alert = await lockAlert(ctx, id);
  if (!alert || alert.stopped_reason !== null) return true;
  const why = await whyStopped(ctx, alert, "analytics:read");
  if (why !== null) await stopAlert(ctx, id, stop(ctx, alertObject(id), alert, why));
  return why !== null;
}
