import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  shadow_runs: {
    keeps: evidence("What a shadow did in place of the live version is what people decide by."),
    personal: {
      columns: ["live", "shadow", "comparison", "fault"],
      erased: erasedWithRow("Erasing a task leaves what its shadow answered."),
    },
  },
});
