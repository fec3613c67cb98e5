import { Type } from "typebox";
import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { exampleAlertSummary } from "../alert-example.ts";
import { listAlertRows } from "../alert-store.ts";
import { alertSummary } from "../alert-view.ts";
import { AlertState, AlertSummary } from "../schemas.ts";

export const listAlerts = defineList({
  id: "analytics.listAlerts",
  path: "/v1/analytics/alerts",
  summary: "List alerts",
  description: "Newest first, each with its state and the value at the last look.",
  filters: {
    state: commaList(AlertState, "States"),
    fired: Type.Optional(Type.Boolean({ description: "Those that have fired and not cleared, or all others." })),
  },
  item: AlertSummary,
  example: { item: exampleAlertSummary },
  permission: "analytics:read",
  narrowing: limitedTo("lists alerts that watch the key's agents only"),
  compliance: governs("analytics.read"),
  audit: "alerts",
  read: listAlertRows,
  position: ({ id }) => id,
  view: (row, { now }) => alertSummary(row, now),
});
