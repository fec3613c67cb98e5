import { alerts } from "../resource.ts";
import { lockLoadedAlert } from "../rules.ts";
import { RemovedAlert } from "../schemas.ts";

export const removeAlert = alerts.removeOperation({
  id: "analytics.removeAlert",
  summary: "Remove an alert",
  description:
    "It is no longer watched, and its history is deleted. No `analytics.alert.cleared` follows if it has fired.",
  output: RemovedAlert,
  mayMatch: ({ revision }) => revision,
  async remove(ctx, row) {
    await lockLoadedAlert(ctx, row);
    await alerts.rows.remove(ctx, row.id);
  },
});
