import { erasedWith, erasedWithRow, keptFor, ownTables } from "../../../resources/tables.ts";

const kept = keptFor(
  "After an export has finished, with its file.",
  "audit.export_retention",
  "retention.exports_days",
);

export const owned = ownTables({
  audit_exports: {
    keeps: kept,
    personal: {
      columns: ["filter", "principal", "actor"],
      erased: erasedWithRow("It says who exported what."),
    },
  },
  audit_export_parts: { keeps: kept, personal: { columns: ["data"], erased: erasedWith("audit_exports") } },
});
