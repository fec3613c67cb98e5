import { Type } from "typebox";
import type { Changes } from "../../../db/scoped.ts";
import { actorOfCall } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleAlert } from "../alert-example.ts";
import {
  conditionFaults,
  lockLoadedAlert,
  readerFaults,
  refuseNeverMet,
  refuseUnknownMembers,
} from "../alert-rules.ts";
import { type AlertRow, findAlert, updateAlert } from "../alert-store.ts";
import { alertView } from "../alert-view.ts";
import { ownedAlert, restarted } from "../output-kinds.ts";
import { Alert, AlertId, ChangeAlertBody } from "../schemas.ts";

export const changeAlert = defineOperation({
  id: "analytics.changeAlert",
  method: "PATCH",
  path: "/v1/analytics/alerts/{alert}",
  summary: "Change or pause an alert",
  description:
    "Measure, filters and window stay: another alert watches something else. One that has fired stays so until it is seen back within what holds then. After a pause or a change, times begin again. Where anything but the pause changes, it goes on with the permissions of whoever changes it.",
  params: Type.Object({ alert: AlertId }),
  body: ChangeAlertBody,
  output: Alert,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: AlertRow) => revision,
  example: {
    params: { alert: exampleAlert.alert_id },
    body: { paused: true },
    output: { ...exampleAlert, paused: true, state: "waiting", revision: 2 },
  },
  permission: "analytics:write",
  load: (ctx, { alert }) => findAlert(ctx, alert),
  validate: (ctx, { body }) => [...(isChanged(body) ? readerFaults(ctx) : []), ...conditionFaults(body.condition)],
  gate: exempt("makes no agent act"),
  decides: exempt("alerts are for people"),
  compliance: governs("analytics.change"),
  audit: ({ params }) => `alert:${params.alert}`,
  async handle(ctx, { loaded, body }) {
    refuseNeverMet(loaded.measure, body.condition);
    await refuseUnknownMembers(ctx, body);
    const alert = await lockLoadedAlert(ctx, loaded);
    await updateAlert(ctx, alert.id, {
      ...changesOf(body),
      ...restarted(ctx.now, alert),
      ...ownedBy(ctx, alert, body),
    });
    return alertView(ctx, (await findAlert(ctx, alert.id)) as AlertRow);
  },
});

const changesOf = ({ condition, notify, ...rest }: ChangeAlertBody): Changes<"analytics_alerts"> => ({
  ...rest,
  ...(condition && { condition: JSON.stringify(condition) }),
  ...(notify && { members: notify.members }),
});

/** Whether anything but the pause changes. */
const isChanged = ({ paused: _paused, ...members }: ChangeAlertBody): boolean => Object.keys(members).length > 0;

/** Whoever changes more than the pause is its owner from then on; those before decided what they left in it. */
const ownedBy = (ctx: WriteContext, alert: AlertRow, body: ChangeAlertBody): Changes<"analytics_alerts"> =>
  isChanged(body) ? ownedAlert(alert, actorOfCall(ctx)) : {};
