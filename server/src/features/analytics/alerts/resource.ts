import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { json } from "../../../resources/rows.ts";
import { erasedBy, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleAlertSummary } from "../example.ts";
import { mostWatched, tooManyAlerts } from "../limit.ts";
import { AlertId, AlertSummary } from "./schemas.ts";
import { type AlertJson, alertSummary } from "./view.ts";

export const owned = ownTables({
  analytics_alerts: {
    keeps: untilRemoved("An alert is deleted by people."),
    personal: {
      columns: ["name", "filters", "members", "created_by", "actor"],
      erased: erasedBy("analytics.removeAlert"),
    },
  },
  analytics_alert_changes: {
    keeps: untilRemoved("The last 1,000 changes of state, deleted with the alert."),
    personal: exempt("states and measured values"),
  },
});

export const alerts = defineResource({
  table: owned.analytics_alerts,
  key: "id",
  isKey: (text) => isId(text, "alr"),
  json: json<AlertJson, "measure">()("filters", "condition"),
  limit: {
    most: mostWatched,
    lock: "analytics alerts",
    refuse: ({ scope: { environment } }) =>
      refuse(
        tooManyAlerts,
        `There are ${mostWatched} alerts in ${environment}, the most it may have; remove one first.`,
      ),
  },
  path: "/v1/analytics/alerts",
  member: Type.Object({ alert: AlertId }),
  item: AlertSummary,
  identity: "alert_id",
  example: { params: { alert: exampleAlertSummary.alert_id }, item: exampleAlertSummary },
  view: (row, { now }) => alertSummary(row, now),
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "alert",
  objects: "alerts",
  permission: { read: "analytics:read", change: "analytics:write" },
  governs: { read: "analytics.read", change: "analytics.change" },
  decides: exempt("alerts are for people"),
  narrowing: { all: limitedTo("lists alerts that watch the key's agents only") },
});
