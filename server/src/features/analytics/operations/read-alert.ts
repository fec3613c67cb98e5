import { Type } from "typebox";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleAlert } from "../alert-example.ts";
import { findAlert } from "../alert-store.ts";
import { alertView } from "../alert-view.ts";
import { Alert, AlertId } from "../schemas.ts";

export const readAlert = defineRead({
  id: "analytics.readAlert",
  path: "/v1/analytics/alerts/{alert}",
  summary: "Read an alert",
  description: "Its state, the value at the last look, and what became of it.",
  params: Type.Object({ alert: AlertId }),
  output: Alert,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: { params: { alert: exampleAlert.alert_id }, output: exampleAlert },
  permission: "analytics:read",
  load: (ctx, { alert }) => findAlert(ctx, alert),
  compliance: governs("analytics.read"),
  audit: ({ params }) => `alert:${params.alert}`,
  handle: (ctx, { loaded }) => alertView(ctx, loaded),
});
