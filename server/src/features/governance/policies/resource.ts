import { erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  policies: {
    keeps: evidence("Records name the version that decided."),
    personal: {
      columns: ["note", "author", "retired_by", "definition"],
      erased: erasedWithRow("It names who decided the rule."),
    },
  },
  violations: {
    keeps: evidence("Figures and reports count them."),
    personal: {
      columns: ["message", "principal", "key_id", "owner"],
      erased: erasedWithRow("It says in the policy's words, and without the call's input, whose call was refused."),
    },
  },
});
