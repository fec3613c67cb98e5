import { erasedWithWork, evidence, ownTables } from "../../../resources/tables.ts";
import { eraseFeedback } from "./store.ts";

export const owned = ownTables({
  task_feedback: {
    keeps: evidence("Trust scores and training rest on it."),
    personal: { columns: ["correction", "comment"], erased: erasedWithWork(eraseFeedback) },
  },
});
