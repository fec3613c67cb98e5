import { erasedWith, erasedWithRow, evidence, ownTables } from "../../../resources/tables.ts";

export const owned = ownTables({
  missions: {
    keeps: evidence("Reports and costs rest on missions."),
    personal: {
      columns: ["goal", "measure", "inputs", "labels", "outcome", "created_by", "actor", "deciders"],
      erased: erasedWithRow("The audit record of a mission commits to what it was given."),
    },
  },
  mission_events: {
    keeps: evidence("The timeline of a mission is part of its report."),
    personal: { columns: ["text", "actor"], erased: erasedWith("missions") },
  },
});
