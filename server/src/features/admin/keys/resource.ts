import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  keys: {
    keeps: evidence("The log names keys by id; a revoked key keeps its row."),
    personal: {
      columns: ["name", "addresses", "created_by", "issuers", "personal_email"],
      erased: erasedWithRow("It names who answers for the calls of the key."),
    },
  },
});
