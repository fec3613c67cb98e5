import { erasedWithRow, keptFor, ownTables } from "../../../resources/tables.ts";

const asSent = erasedWithRow("What was sent was sent: the row proves it until it is deleted.");
const kept = keptFor(
  "After a delivery has ended, with its attempts.",
  "webhooks.delivery_retention",
  "retention.deliveries_days",
);

export const owned = ownTables({
  deliveries: { keeps: kept, personal: { columns: ["body", "last_error"], erased: asSent } },
  delivery_attempts: { keeps: kept, personal: { columns: ["excerpt", "error", "detail", "url"], erased: asSent } },
});
