import { erasedWithWork, evidence, ownTables } from "../../../resources/tables.ts";
import { eraseComments } from "./store.ts";

export const owned = ownTables({
  task_comments: {
    keeps: evidence("What people wrote for an agent explains what it did."),
    personal: { columns: ["text"], erased: erasedWithWork(eraseComments) },
  },
});
