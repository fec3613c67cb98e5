import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  marketplace_installs: {
    keeps: evidence("A removed install keeps its row: what was consented to, and which parts were made of it."),
    personal: {
      columns: ["consent", "installed_by"],
      erased: erasedWithRow("It names the members who consented to what the install may do."),
    },
  },
});
