import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of webhooks.

export const deliveryRows = shareRows(
  "deliveries",
  "organization",
  "environment",
  "webhook_id",
  "id",
  "type",
  "state",
  "attempts",
  "finished_at",
);

export const webhookRows = shareRows("webhooks", "organization", "environment", "id", "url", "agents");
