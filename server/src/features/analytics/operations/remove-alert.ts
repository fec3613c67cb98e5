import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleAlert } from "../alert-example.ts";
import { lockLoadedAlert } from "../alert-rules.ts";
import { type AlertRow, deleteAlert, findAlert } from "../alert-store.ts";
import { AlertId, RemovedAlert } from "../schemas.ts";

export const removeAlert = defineOperation({
  id: "analytics.removeAlert",
  method: "DELETE",
  path: "/v1/analytics/alerts/{alert}",
  summary: "Remove an alert",
  description: "It is no longer watched, and its history is deleted. One that has fired is not told as cleared.",
  params: Type.Object({ alert: AlertId }),
  output: RemovedAlert,
  mayMatch: ({ revision }: AlertRow) => revision,
  example: {
    params: { alert: exampleAlert.alert_id },
    output: { alert_id: exampleAlert.alert_id, removed: true },
  },
  permission: "analytics:write",
  load: (ctx, { alert }) => findAlert(ctx, alert),
  gate: exempt("makes no agent act"),
  decides: exempt("alerts are for people"),
  compliance: governs("analytics.change"),
  audit: ({ params }) => `alert:${params.alert}`,
  async handle(ctx, { loaded }) {
    await lockLoadedAlert(ctx, loaded);
    await deleteAlert(ctx, loaded.id);
    return { alert_id: loaded.id, removed: true as const };
  },
});
