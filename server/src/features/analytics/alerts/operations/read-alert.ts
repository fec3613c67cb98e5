import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleAlert } from "../../example.ts";
import { alertView } from "../history.ts";
import { alerts } from "../resource.ts";
import { Alert } from "../schemas.ts";

export const readAlert = defineRead({
  ...alerts.one,
  ...alerts.answer,
  id: "analytics.readAlert",
  summary: "Read an alert",
  description: "Its state, the value at the last look, and what became of it.",
  output: Alert,
  example: { params: { alert: exampleAlert.alert_id }, output: exampleAlert },
  permission: "analytics:read",
  compliance: governs("analytics.read"),
  handle: (ctx, { loaded }) => alertView(ctx, loaded),
});
