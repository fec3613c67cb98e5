import { erasedWith, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  mission_decisions: {
    keeps: evidence("Who decided what during a mission."),
    personal: {
      columns: ["question", "options", "context", "asked_by", "answer", "comment", "answered_by"],
      erased: erasedWith("missions"),
    },
  },
});
