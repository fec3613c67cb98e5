import { erasedWithWork, evidence, ownTables } from "../../../resources/tables.ts";
import { eraseTasks } from "./erase-store.ts";

export const owned = ownTables({
  tasks: {
    keeps: evidence("Trust, gates, costs and audit records rest on tasks."),
    personal: {
      columns: ["input", "output", "failure", "predictions", "title", "question", "answer", "pause_reason"],
      erased: erasedWithWork(eraseTasks),
    },
  },
});
