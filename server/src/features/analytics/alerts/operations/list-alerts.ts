import { Type } from "typebox";
import { commaList } from "../../../../kernel/schema-words.ts";
import { alerts } from "../resource.ts";
import { AlertState } from "../schemas.ts";
import { narrowAlerts } from "../store.ts";

export const listAlerts = alerts.listOperation({
  id: "analytics.listAlerts",
  summary: "List alerts",
  description: "Newest first, each with its state and the value at the last look.",
  filters: {
    state: commaList(AlertState, "States"),
    fired: Type.Optional(Type.Boolean({ description: "Those that have fired and not cleared, or all others." })),
  },
  narrow: (query, { ctx, filter }) => narrowAlerts(query, ctx, filter),
});
