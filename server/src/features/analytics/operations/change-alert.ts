import { Type } from "typebox";
import type { Changes } from "../../../db/scoped.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleAlert } from "../alert-example.ts";
import { beginning } from "../alert-model.ts";
import { conditionFaults, lockLoadedAlert, refuseUnknownMembers } from "../alert-rules.ts";
import { type AlertRow, findAlert, updateAlert } from "../alert-store.ts";
import { alertView } from "../alert-view.ts";
import { Alert, AlertId, ChangeAlertBody } from "../schemas.ts";

export const changeAlert = defineOperation({
  id: "analytics.changeAlert",
  method: "PATCH",
  path: "/v1/analytics/alerts/{alert}",
  summary: "Change or pause an alert",
  description:
    "Measure, filters and window stay: another alert watches something else. One that has fired stays so until it is seen back within what holds then. After a pause or a change, times begin anew.",
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
  validate: (_ctx, { body }) => conditionFaults(body.condition),
  gate: exempt("makes no agent act"),
  compliance: governs("analytics.change"),
  audit: ({ params }) => `alert:${params.alert}`,
  async handle(ctx, { loaded, body }) {
    await refuseUnknownMembers(ctx, body);
    const alert = await lockLoadedAlert(ctx, loaded);
    await updateAlert(ctx, alert.id, { ...changesOf(body), ...restarted(ctx.now, alert) });
    return alertView(ctx, (await findAlert(ctx, alert.id)) as AlertRow);
  },
});

const changesOf = ({ condition, notify, ...rest }: ChangeAlertBody): Changes<"analytics_alerts"> => ({
  ...rest,
  ...(condition && { condition: JSON.stringify(condition) }),
  ...(notify && { members: notify.members }),
});

/** What holds until the next look. */
function restarted(now: number, alert: AlertRow): Changes<"analytics_alerts"> {
  const { state, since } = beginning(now, alert.fired);
  return { state, state_since: new Date(since), beyond_since: null, within_since: null, due_at: new Date(now) };
}
