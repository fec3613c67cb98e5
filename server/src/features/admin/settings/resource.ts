import { erasedWithRow, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  settings: {
    keeps: untilRemoved("One row for each environment."),
    personal: { columns: ["author"], erased: erasedWithRow("It names who changed the settings last.") },
  },
  rule_changes: {
    keeps: evidence("An approval shows who changed a rule shortly before."),
    personal: { columns: ["text", "changed_by", "accountable"], erased: erasedWithRow("It names who changed a rule.") },
  },
});
