import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  confirmations: {
    keeps: evidence("A confirmed version stays confirmed."),
    personal: {
      columns: ["confirmed_by", "session_id", "key_id"],
      erased: erasedWithRow("It names the second person, whom later calls rest on."),
    },
  },
});
