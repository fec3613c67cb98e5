import { timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { alertCleared, alertFired } from "../alert-events.ts";
import { mailAlert } from "../alert-mail.ts";
import { type AlertRow, enterLook, type LookedAlert } from "../alert-store.ts";
import { alertWindow } from "../alert-view.ts";

interface Telling {
  readonly alert: AlertRow;
  readonly looked: LookedAlert;
}

/** Enters that an alert fired or cleared, and tells. */
export const tellAlert: InsideOperation<Telling, { readonly told: boolean }> = defineInside({
  id: "analytics.tellAlert",
  summary: "Tell that an alert fired or cleared",
  permission: exempt("the service's own look at what is due"),
  load: exempt("what was looked at is given; it counts only if nothing changed since"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what people asked to be told"),
  audit: ({ params }: { params: Telling }) => `alert:${params.alert.id}`,
  emits: [alertFired, alertCleared],
  async handle(ctx: WriteContext, { params: { alert, looked } }: { params: Telling }) {
    if (!(await enterLook(ctx, alert, looked))) return { told: false };
    const { id, name, measure, condition } = alert;
    const { from, to } = alertWindow(alert, ctx.now);
    const link = `${ctx.appUrl}/analytics/alerts/${id}`;
    const body = {
      ...{ alert_id: id, name, measure, condition, value: looked.value, n: looked.n, link },
      agent: alert.agents?.length === 1 ? (alert.agents[0] ?? null) : null,
      ...{ from: timestamp(from), to: timestamp(to) },
    };
    if (looked.event === "fired") ctx.emit(alertFired, body);
    else ctx.emit(alertCleared, body);
    for (const member of alert.members) ctx.enqueue(mailAlert(ctx, alert, looked, member, link));
    return { told: true };
  },
});
