import { exempt } from "../../../kernel/operation.ts";
import { erasedBy, erasedWithRow, evidence, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";

export const owned = ownTables({
  budgets: {
    keeps: untilRemoved("A limit is deleted by people."),
    personal: { columns: ["scope", "author"], erased: erasedBy("governance.setBudget") },
  },
  budget_use: {
    keeps: evidence("What was used of a window, also after the limit is gone."),
    personal: { columns: ["scope"], erased: erasedWithRow("It may name a member, by id.") },
  },
  budget_grants: {
    keeps: passing("Deleted when the process gives the portion back, or when it lapses."),
    personal: exempt("amounts that processes hold"),
  },
  ledger_entries: {
    keeps: evidence("Every figure of money is a sum over it."),
    personal: { columns: ["object", "principal", "key_id"], erased: erasedWithRow("It names who spent, by id.") },
  },
});
